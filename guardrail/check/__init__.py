"""(claim, evidence) → verdict.

cascade    asks one checker after another until the claim is decided, the exact and cheap ones first
embedded   the checkers of the embedded tier in their order
sources    each source of evidence judged by itself, the one of the highest precedence decides
kg/        against a knowledge graph: slots compared, no model
text/      against passages: a cross-encoder, with exact comparison beside it
llm/       by a language model
"""

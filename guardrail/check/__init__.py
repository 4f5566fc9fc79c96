"""(claim, evidence) → verdict.

cascade    asks one checker after another until the claim is decided, the exact and cheap ones first
embedded   the checkers of the embedded tier in their order
fallback   another checker in the place of one whose model is away
sources    each source of evidence judged by itself, the one of the highest precedence decides
kg/        against a knowledge graph: slots compared, no model
text/      against passages: a cross-encoder, with exact comparison beside it
nli/       against statements that the cross-encoder reads as sentences, where comparing left the claim open
llm/       by a language model
"""

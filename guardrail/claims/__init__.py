"""A sentence → claims with exact places, each with its facts, or a named reason why it is no claim.

`rules.RuleExtractor` is the door of the embedded tier, `llm.extractor` that of a language model. A *claim* is the smallest stretch that a
reader could judge by itself; a *fact* is a triple read from it, flat or extended.

    splitting/    a parsed sentence into stretches with a predicate
    reading/      tokens, chunks and clauses for the readers of facts
    arguments/, facts/, nouns/, lexicon/    who and what; facts of clauses, facts of noun phrases; what words mean
    answers/      short answers in the words of their question
    discourse/    what "it", "both" and "the company" refer to
    checkable/    what is no claim, and what was not read
"""

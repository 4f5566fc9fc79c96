"""(claim, evidence) → verdict.

    SymbolicChecker   compares slots with what the graph knows; no model, no I/O, and the proof in the verdict
    Cascade           asks one checker after another until the claim is decided, the exact and cheap ones first

The symbolic checker hands one noun on, the `Finding`: what was found out about one fact of the claim.

    slots.judge       one fact against one answer of the graph: agree, conflict or unknown
      orient, names, timeline, reckon    which end answers what, sameness of names, when a statement holds, ages and counts
    combine           several readings of a name and several relations that words may mean → one finding
    loose             statements nobody asked for: paths, and triplets given in words
    attributes        the time, place and rank of an extended triple against the same statement's qualifiers
    polarity          negation and quantifiers
    restrictions      what the claim says beyond its facts: superlatives, ordinals, names and dates left out
    rationale         the reason as one sentence

The other modules judge with models: a cross-encoder (`nli.py`), a language model (`llm.py`, `claimver.py`, `refchecker.py`).
"""

"""A claim against a knowledge graph. No model, no I/O: the proof stands in the verdict.

The rooms pass one noun on, the `FactFinding`: what was found out about one fact of the claim.

    symbolic              every fact of a claim, and the verdict on the whole
    steps, combine        one fact, step by step; several readings of a name and a relation become one finding
    compare/              one fact against one answer of the graph, slot by slot, and whether another value is a conflict
    qualifiers/           attributes, negation, quantifiers, order, exclusivity, terms of office
    aligned/              a claim beside all that is known of its subject, by whatever property
    identity, scope       whether the claim means the entity, list, time or figure that the graph was asked about
    domains, relevance    which readings of a name, and which statements, can bear on the claim
    unaccounted_words     words of a claim that narrow it and that no statement tells
    lexical               paths and given triplets, compared by their words
    rationale             the reason as one sentence
"""

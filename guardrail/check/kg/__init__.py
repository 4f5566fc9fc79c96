"""A claim against a knowledge graph. No model, no I/O: the proof stands in the verdict.

The rooms pass one noun on, the `Finding`: what was found out about one fact of the claim.

    symbolic, combine     every fact of a claim; several readings of a name and a relation become one finding
    compare/              one fact against one answer of the graph, slot by slot, and whether another value is a conflict
    qualifiers/           attributes, negation, quantifiers, order, exclusivity, terms of office
    aligned/              a claim beside all that is known of its subject, by whatever property
    anchor, narrowed      when another entity, list, time or thing may be meant
    untold                words of a claim that narrow it and that no statement tells
    loose                 paths and statements that nobody asked for
    rationale             the reason as one sentence
"""

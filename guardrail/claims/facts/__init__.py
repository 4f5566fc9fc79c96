"""From the clauses of a sentence to facts: flat triples, and extended ones with time, place and amount (FLEEK §2.1.1).

clauses, copular      facts of verbs, and of "to be" and the verbs like it
events                facts of one event: tense, attributes, what they imply, none twice
listings              lists and tables
questions             a fact as a question in words
degrees, acronyms     where somebody studied; what letters stand for
"""

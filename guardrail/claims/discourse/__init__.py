"""What a sentence needs of the text around it: whom "it" means, headings above a list.

coreference      whom a pronoun or "the company" means
plurals          whom "both" and "they" mean: the sentence is read with their names
gapping          a verb that is said once for several names: the sentence is read with it behind each
rivals           things without a name that a pronoun may mean
expected_kinds   of what kind a name must be for what is said of it
focus            what a text speaks of around a claim
"""

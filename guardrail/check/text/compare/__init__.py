"""A claim beside a sentence, compared word by word, without a model.

exact                what a sentence has otherwise than the claim, what it lacks, and how much of the claim it covers
amounts              values that stand in each other's place
contrasts, opposites words that exclude each other: antonyms, duties, denials, names in one place
propositions         roles that are exchanged, and statements that are mixed, by the parse
items                the words of a text as they are compared
phrases              the names in it
stems                which words say something, and which are forms of one word
"""

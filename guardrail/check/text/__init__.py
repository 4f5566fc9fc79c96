"""A claim against passages: a model reads windows of whole sentences, exact comparison stands beside it.

checker               the steps from a claim to its verdict
windows, reading      passages in windows; which of them are read for a claim, and what the model makes of them
relevance             what passages cannot decide
subjects              whether they speak of the claim's subject at all, and what a pronoun in them stands for
proof                 what exact comparison settles alone
sides, decision       which windows support and which refute; the label that follows
signals, weighing     what speaks for and against a claim, as numbers, and the label that they make together
verdicts              the verdict with its evidence and its rationale
compare/              a claim beside a sentence, compared word by word
"""

"""A claim against passages: a model reads windows of whole sentences, exact comparison stands beside it.

checker, windows      the verdict, and what the model reads
signals, weighing     what speaks for and against a claim, as numbers, and the label that they make together
exact, amounts, contrasts, opposites, stronger   sentences that say the same but for a value, a name or an opposite
nli, premises         statements of a graph as sentences that a model reads
wording, phrases      words as they are compared
"""

"""A claim against passages: a model reads windows of whole sentences, exact comparison stands beside it.

checker, windows      the verdict, and what the model reads
signals, weighing     what speaks for and against a claim, as numbers, and the label that they make together
exact, amounts, contrasts, opposites   sentences that say the same but for a value, a name or an opposite
propositions          sentences that say the same of the other one, or mix two statements
wording, phrases      words as they are compared
nli, premises         statements of a graph, written as sentences that the same model reads
fallback              another checker in the place of one whose model is away
"""

"""Training on a machine with a GPU that has nothing but Python, numpy and torch: this folder stands alone.

    stored      weights in the product's files; what a training changed of them, in few bits
    network     the cross-encoder in torch
    pairs       pairs as token ids, in batches of like length
    packed      the files of `python -m eval.train pack`, from which each epoch is drawn anew
    training    the loss, steps until the time is up, probabilities, figures
    teach       the larger model learns from the labels
    distil      the larger model labels pairs, and the small one learns from what it says

Carry this folder in its place (`eval/train/lean`), the packed files, and of each model the .npz files. Then
`python -m eval.train.lean.teach` and `python -m eval.train.lean.distil` run there. What they write comes back, and
`python -m eval.train restore` makes checkpoints of it.
"""

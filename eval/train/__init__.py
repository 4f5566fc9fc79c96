"""How the shipped models are made: `python -m eval.train nli …`.

    sets        labelled pairs that people wrote, one reader per data set
    synthetic   minimal pairs made from a knowledge graph
    written     passages in two versions with claims, and the pairs they give
    nli         fine-tuning, with checkpoints
    weights     weights from checkpoints and int8 files, and their means
    lean        the same training on a machine with a GPU that has only numpy and torch; a larger model teaches the small one
    packing     the pairs for it, as token ids
    unlabelled  pairs that nobody labelled, for the larger model to label
    export      a checkpoint → the int8 files in guardrail/data/models
    graph       the weight-free ONNX graph both models run on

Needs torch, transformers and onnx, none of which the product itself imports.
"""

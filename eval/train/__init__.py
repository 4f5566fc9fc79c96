"""How the shipped models are made: `python -m eval.train nli …`.

    sets        labelled pairs that people wrote, one reader per data set
    synthetic   minimal pairs made from a knowledge graph
    nli         fine-tuning, with checkpoints
    export      a checkpoint → the int8 files in guardrail/data/models
    graph       the weight-free ONNX graph both models run on

Needs torch, transformers and onnx, none of which the product itself imports.
"""

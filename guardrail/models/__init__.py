"""Models that read text: the shipped ones, and whatever a user puts in the place of the one that judges pairs of texts.

    nli         `Classifier`, the role; `Embedded`, the cross-encoder that ships, on onnxruntime
    hub         `Hub`, a model of the transformers library on torch: CPU or GPU
    remote      `Remote`, a model on a server: time limit, batches, a bounded number of requests at a time
    tei         the wire of text-embeddings-inference: /predict with pairs
    minicheck   the wire of an OpenAI-compatible server: a generative checker that answers Yes or No
    standing    whether a model on a server is there, and what is tried while it is not
    labels      which of our labels the outputs of a model mean
    place       the one setting that says which model it is
    opened      opens what the setting names
    embed       sentence vectors; `encoder`: what the shipped models run on

Nothing here imports torch, transformers or a network client before it is needed.
"""

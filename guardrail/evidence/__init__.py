"""A claim → evidence: statements of knowledge graphs, passages of a corpus, references of the request, pages of the web.

`retrieve.py` and `configured.py` are the doors; `knowledge.Knowledge` is the interface of every graph.

    store/, sparql/, query/, properties/, catalog/    graphs: in a database, at an endpoint; what is asked of them and known of their properties
    importers/    files → batches for a graph
    linking/      text → entities
    corpus/, request/, web.py    passages
"""

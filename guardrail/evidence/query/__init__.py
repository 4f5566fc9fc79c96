"""Questions to a graph, wherever it lives: one hop, paths, hierarchies, ranks, several graphs as one.

Every module asks through `knowledge.Knowledge`, the interface that all graphs implement.
"""

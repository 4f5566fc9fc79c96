"""One fact against one answer of the graph: names, values, kinds and further arguments agree, conflict or are unknown."""

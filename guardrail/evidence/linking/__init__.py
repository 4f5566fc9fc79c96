"""Entity linking: from a text to the mentions in it and the entities that each may stand for."""

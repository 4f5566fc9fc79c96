"""What a graph holds as a whole, for people: its classes and properties, its size, and what in it cannot be true at once."""

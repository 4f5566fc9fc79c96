"""What can be checked at all: questions, opinions, other languages and unreadable text are named, nothing is left out."""

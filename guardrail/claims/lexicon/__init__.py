"""What words mean, as data with look-ups: relation phrases, kinds of things and names, nationalities, posts."""

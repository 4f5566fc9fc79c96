"""A claim against statements of a graph that the model reads as sentences, where comparing them left it open.

premises    statements as text that fits the model, each with what it was made of
records     the statements of somebody's own graph that are nearest in meaning, read together
checker     what the model's probabilities for the premises say of the claim
"""

"""A short answer and its question in, one statement out: "Berlin." after "What is the capital of Germany?".

yes_no         what says yes or no and no more, and what asks for it
question       the word order of a question: what is asked, the auxiliary, the subject, the rest
statement      a text put together of the question's words and the answer's, each knowing where it comes from
declarative    the question as a statement with the answer in it (QA2D, Demszky, Guu and Liang 2018)
"""

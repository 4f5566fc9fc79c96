"""Files become knowledge.

A reader (rdf.py, wikidata.py, table.py) turns a `Source`, which decompresses as it goes, into `Chunk`s of what is to be
written; `load.load` writes each chunk as one batch together with how far the file has been read, so that an import
that was interrupted goes on where its last whole batch ended. A record that cannot be read is a `BadRecord` with its
number; only `strict` stops there.
"""

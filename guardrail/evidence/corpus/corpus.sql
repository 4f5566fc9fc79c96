-- The corpus file: passages (frames) of documents, the names in them, and the inverted index.

CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- A file as it was when it was read; a JSONL or CSV file holds many documents.
CREATE TABLE origin (
    n      INTEGER NOT NULL PRIMARY KEY,
    path   TEXT NOT NULL UNIQUE,
    size   INTEGER NOT NULL,
    mtime  INTEGER NOT NULL        -- nanoseconds
) STRICT;

CREATE TABLE document (
    n      INTEGER NOT NULL PRIMARY KEY,
    id     TEXT NOT NULL UNIQUE,
    origin INTEGER NOT NULL,
    title  TEXT NOT NULL,
    url    TEXT NOT NULL,
    as_of  TEXT NOT NULL,
    node   INTEGER,                -- the name that the title is
    digest BLOB NOT NULL
) STRICT;
CREATE INDEX document_origin ON document (origin);
CREATE INDEX document_node ON document (node);

CREATE TABLE passage (
    n        INTEGER NOT NULL PRIMARY KEY,
    document INTEGER NOT NULL,
    start    INTEGER NOT NULL,     -- code points in the document's text
    text     TEXT NOT NULL
) STRICT;
CREATE INDEX passage_document ON passage (document);

-- A node of the co-occurrence graph: a folded name, or `=id` of an entity of the knowledge graph.
CREATE TABLE node (
    n        INTEGER NOT NULL PRIMARY KEY,
    key      TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE mention (
    node    INTEGER NOT NULL,
    passage INTEGER NOT NULL,
    PRIMARY KEY (node, passage)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_passage ON mention (passage);

-- Postings of one term in one segment (the passages of one run of the indexer), packed by postings.py.
CREATE TABLE posting (
    term     TEXT NOT NULL,
    segment  INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    packed   BLOB NOT NULL,
    PRIMARY KEY (term, segment)
) STRICT, WITHOUT ROWID;

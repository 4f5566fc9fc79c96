-- The knowledge file. Ids of the outside world are text and stand once, in entity and property; inside, everything
-- is an integer. Objects that are entities stand in `o`; literals in `value`, as the array that codec.py writes.
-- The PostgreSQL backend reads the same file and maps INTEGER to BIGINT (postgres.py).

CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entity (
    n           INTEGER NOT NULL PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    label       TEXT NOT NULL,
    description TEXT NOT NULL,
    types       TEXT NOT NULL,     -- ids of its classes, one a line
    popularity  REAL NOT NULL,     -- log prior
    degree      INTEGER NOT NULL,  -- edges that touch it, in both directions
    gender      TEXT NOT NULL,
    url         TEXT
) STRICT;
CREATE INDEX entity_hub ON entity (degree) WHERE degree >= 1000;

CREATE TABLE property (
    n            INTEGER NOT NULL PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    label        TEXT NOT NULL,
    aliases      TEXT NOT NULL,    -- one a line
    datatype     TEXT NOT NULL,
    cardinality  TEXT NOT NULL,
    inverse      TEXT,
    is_symmetric INTEGER NOT NULL,
    is_temporal  INTEGER NOT NULL,
    is_hierarchical INTEGER NOT NULL,
    single_ratio REAL,
    is_complete  INTEGER NOT NULL
) STRICT;

CREATE TABLE source (
    n     INTEGER NOT NULL PRIMARY KEY,
    name  TEXT NOT NULL,
    as_of TEXT NOT NULL,
    UNIQUE (name, as_of)
) STRICT;

-- `k` is a hash of what makes the statement itself: its own id where it came with one, else object and qualifiers.
-- The same statement read twice is therefore one row.
CREATE TABLE statement (
    s          INTEGER NOT NULL,
    p          INTEGER NOT NULL,
    k          INTEGER NOT NULL,
    o          INTEGER,
    value      TEXT,
    qualifiers TEXT,
    rank       INTEGER NOT NULL,   -- 0 preferred, 1 normal, 2 deprecated
    source     INTEGER NOT NULL,
    local      TEXT,               -- the statement's own id, after "subject$"
    PRIMARY KEY (s, p, k)
) STRICT, WITHOUT ROWID;

-- Every statement between two entities twice, once from each end: p > 0 leaves `a`, p < 0 arrives there.
CREATE TABLE edge (
    a INTEGER NOT NULL,
    p INTEGER NOT NULL,
    b INTEGER NOT NULL,
    k INTEGER NOT NULL,
    PRIMARY KEY (a, p, b, k)
) STRICT, WITHOUT ROWID;

-- `key` is names.key(text): folded words with one space between.
CREATE TABLE alias (
    key      TEXT NOT NULL,
    entity   INTEGER NOT NULL,
    text     TEXT NOT NULL,
    language TEXT NOT NULL,
    kind     INTEGER NOT NULL,     -- 0 label, 1 alias
    PRIMARY KEY (key, entity, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_entity ON alias (entity);

-- How far the import of a file has come: written in the same transaction as the rows that it speaks of.
CREATE TABLE import (
    file     TEXT NOT NULL PRIMARY KEY,
    progress TEXT NOT NULL
) STRICT, WITHOUT ROWID;

"""The audit log: what was found and done, written before the client sees it, and proof that nobody changed it since.

In: a report with its decision. Out: records in a signed chain, in SQLite or PostgreSQL.

    store, writer, record, events    append and read; what a record holds
    chain, verify, replay            the chain of hashes, its check, decisions made again from records
    redact, erase, rotate, export    personal data, erasure, retention, files for others
    stats, reviews                   counts and labels of reviewers
"""

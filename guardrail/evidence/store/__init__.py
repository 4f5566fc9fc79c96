"""The graph in a database: tables, batches of changes, rows. SQLite by default, PostgreSQL for several servers.

`graph.Graph` is the door. `batch` writes all of a change or nothing; `settle` computes what needs every row: degrees, one value or many.
"""

"""The readers of tables at rest: each gives a schema and a stream of Arrow batches."""

"""Runners: each computes a fingerprint where the data is, through what the user has opened."""

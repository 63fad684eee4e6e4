"""Engines that do one thing wrong: each is PyArrow but for one function.

`ods-proof` takes any module of an engine's shape by its dotted name.
"""

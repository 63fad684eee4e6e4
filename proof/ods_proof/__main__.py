"""`python -m ods_proof`."""

from .cli import main

main()

"""Measures message-ir beside parsers and other validators: `python -m benchmarks`, or `nox -s bench`."""

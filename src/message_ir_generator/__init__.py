"""Renders `generated/` from `spec/`: the JSON Schema, the Python package `message_ir_types` and the reference pages.

The data goes one way: `spec` reads and checks, each module of `targets` renders `{path: text}`, `output` writes or compares.
"""

# Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
"""The generated half of message-ir: `messages`, `wire`, `shapes`, `constants` and `catalogue`."""

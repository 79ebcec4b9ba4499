"""The sentence that every generated file opens with."""

NOTICE = "Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again."

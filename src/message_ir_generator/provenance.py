"""The sentence that every generated file opens with."""


def notice(source: str) -> str:
    """Says from what a file is generated, and by which command."""
    return f"Generated from {source} by `python -m message_ir_generator`. Do not edit: edit the spec and run it again."


NOTICE = notice("spec/message-ir.yaml")

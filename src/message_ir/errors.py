"""The two errors that the package raises. Each is data; its sentence is built from it."""

from __future__ import annotations

from message_ir_types.catalogue import MUST
from message_ir_types.messages import Diagnostic, Reason

_SHOWN = 3


class ConstructionError(TypeError):
    """A constructor was given something that no message can be made of.

    Attributes:
        function: the function that refuses it, such as `assistant_message`.
        pointer: the JSON Pointer of the place in wire names, such as `/content/0/arguments` or `/toolCallId`.
        reason: what the value there fails to be; stable, from the specification.
        place: the place in the caller's words, such as `content[0].arguments` or `tool_call_id`.
        found: what the value is instead; prose.
    """

    def __init__(self, function: str, pointer: str, reason: Reason, place: str, found: str) -> None:
        # All of it goes into args, so that the error pickles and copies.
        super().__init__(function, pointer, reason, place, found)
        self.function = function
        self.pointer = pointer
        self.reason = reason
        self.place = place
        self.found = found

    def __str__(self) -> str:
        return f"{self.function}: {self.place} must {MUST[self.reason]}, but it {self.found}."


class InvalidTranscriptError(ValueError):
    """A value is no valid transcript.

    Attributes:
        diagnostics: everything that the validator reports of it, in order; never empty.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        count = len(self.diagnostics)
        lines = [f"{count} diagnostic{'' if count == 1 else 's'}:"]
        lines += [f"  {each.code}: {each.message}" for each in self.diagnostics[:_SHOWN]]
        if count > _SHOWN:
            lines.append(f"  … and {count - _SHOWN} more in .diagnostics")
        return "\n".join(lines)

"""Quotes the caller's text in prose, so that it stays short and cannot speak to a terminal."""

from __future__ import annotations

from message_ir_types.constants import QUOTED_CHARACTERS


def quote(text: str) -> str:
    """Returns at most `QUOTED_CHARACTERS` of the text in double quotes, escaped; `…` stands for the rest."""
    rest = "…" if len(text) > QUOTED_CHARACTERS else ""
    return f'"{escape(text[:QUOTED_CHARACTERS], also=_QUOTES)}{rest}"'


def escape(text: str, also: str = "") -> str:
    r"""Returns the text with every character that is not printable, and those in `also`, escaped: `\u001b`, `\U000e0001`.

    Not printable are control and format characters (those that turn the writing direction among them), line and
    paragraph separators, surrogates, private use and unassigned characters, and every space but U+0020.
    """
    if text.isprintable() and not any(map(text.__contains__, also)):
        return text
    return "".join(
        f"\\{character}" if character in also else character if character.isprintable() else _code(ord(character))
        for character in text
    )


_QUOTES = '"\\'


def _code(point: int) -> str:
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"  # noqa: PLR2004 # four hex digits

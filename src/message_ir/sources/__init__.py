"""Sources: from the files that agents write to transcripts, with the place that each value came from.

A source is one module with one function of one shape (`model.Source`); `SOURCES` is the table of them.
A source never repairs and never hides: what is malformed stays malformed for the validator to report, and what has no
place in a transcript is counted as a loss.
"""

from message_ir.sources.model import Loss, Options, Part, Place, Source, Transcript, Unreadable
from message_ir.sources.reading import SOURCES, AmbiguousFormatError, read, read_lines

__all__ = [
    "SOURCES",
    "AmbiguousFormatError",
    "Loss",
    "Options",
    "Part",
    "Place",
    "Source",
    "Transcript",
    "Unreadable",
    "read",
    "read_lines",
]

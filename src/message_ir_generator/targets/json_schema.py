"""The JSON Schema of a transcript, usable alone by any validator of draft 2020-12."""

from __future__ import annotations

import json
from typing import Any

from message_ir_generator.provenance import NOTICE
from message_ir_generator.spec import Spec


def render(spec: Spec) -> dict[str, str]:
    """Renders `json-schema/transcript.schema.json`; non-ASCII characters are escaped, so that blank ones can be seen."""
    return {"json-schema/transcript.schema.json": json.dumps(document(spec), indent=2) + "\n"}


def document(spec: Spec) -> dict[str, Any]:
    """The schema as data: a transcript at the root, every other type below `$defs`."""
    gaps = " ".join(f"{gap['clause']}: {gap['why']}" for gap in spec.schema_gaps)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:message-ir:{spec.version}:transcript",
        "$comment": f"{NOTICE} What this schema cannot say, and the validator alone reports: {gaps}",
        "title": "Transcript",
        "description": spec.types["Transcript"]["description"],
        "$ref": "#/$defs/Transcript",
        "$defs": spec.types,
    }

"""What is rendered. A target is one function from the specification to `{path below generated/: text}`."""

from __future__ import annotations

from collections.abc import Callable

from message_ir_generator.spec import Spec
from message_ir_generator.targets import docs, json_schema, python_data, python_types

TARGETS: tuple[Callable[[Spec], dict[str, str]], ...] = (
    json_schema.render,
    python_types.render,
    python_data.render,
    docs.render,
)


def render(spec: Spec) -> dict[str, str]:
    """Renders every target; the same specification gives the same bytes."""
    rendered: dict[str, str] = {}
    for target in TARGETS:
        files = target(spec)
        assert not files.keys() & rendered.keys(), "two targets render one file"
        rendered |= files
    return rendered

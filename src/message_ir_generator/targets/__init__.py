"""What is rendered. A target is one function from what was read to `{path below generated/: text}`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from message_ir_generator.corpus import load_corpus
from message_ir_generator.spec import Spec, load, read_yaml
from message_ir_generator.targets import corpus, docs, json_schema, python_data, python_types, typescript

SPEC_TARGETS: tuple[Callable[[Spec], dict[str, str]], ...] = (
    json_schema.render,
    python_types.render,
    python_data.render,
    docs.render,
    typescript.render,
)


def render(spec: Spec) -> dict[str, str]:
    """Renders what follows from the specification alone; the same specification gives the same bytes."""
    rendered: dict[str, str] = {}
    for target in SPEC_TARGETS:
        rendered = _joined(rendered, target(spec))
    return rendered


def render_folder(folder: Path) -> dict[str, str]:
    """Renders everything from the folder `spec/`.

    Raises:
        SpecError: something in it cannot be used.
    """
    spec = load(folder / "message-ir.yaml", folder / "message-ir.schema.yaml")
    protocol, _ = read_yaml(folder / "protocol.yaml")
    return _joined(render(spec), corpus.render(spec, load_corpus(folder / "corpus", spec), protocol))


def _joined(one: dict[str, str], other: dict[str, str]) -> dict[str, str]:
    assert not one.keys() & other.keys(), "two targets render one file"
    return one | other

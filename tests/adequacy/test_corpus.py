"""What the mutation tool runs against each mutant: the corpus, and nothing else."""

from __future__ import annotations

from adequacy.judge import first_wrong


def test_the_corpus_alone() -> None:
    assert first_wrong() is None

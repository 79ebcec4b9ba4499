"""The conformance suite: holds an implementation of the contract, in any language, against the corpus.

`port` speaks the protocol for this implementation, `runner` for the suite; `spec/corpus/README.md` is the port author's manual.
"""

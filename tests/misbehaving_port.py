"""A port that misbehaves in a way that its argument names; else it answers as the real one does.

Run as a program: `python misbehaving_port.py WAY`. Most ways show at one case only: the one whose input holds "trap".
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from message_ir.conformance.port import answered, introduction


def say(*lines: str) -> None:
    for line in lines:
        print(line, flush=True)


def tell(**message: Any) -> None:
    say(json.dumps(message))


def say_raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def wait() -> None:
    time.sleep(600)


def say_without_end() -> None:
    say_raw(b"x" * 20_000_000)
    wait()


# What it does at the trap, with the request's handle and the line that would be the right answer.
TRAPS: dict[str, Callable[[str, str], None]] = {
    "crash": lambda handle, answer: sys.exit("it hurts"),
    "silent-end": lambda handle, answer: sys.exit(0),
    "hang": lambda handle, answer: wait(),
    "rubbish": lambda handle, answer: say("DEBUG: here I am", answer),
    "twice": lambda handle, answer: say(answer, answer),
    "other-handle": lambda handle, answer: tell(handle=f"not-{handle}", result={"diagnostics": []}),
    "no-result": lambda handle, answer: tell(handle=handle),
    "no-array": lambda handle, answer: tell(handle=handle, result={"diagnostics": {"code": "ORPHAN_TOOL_RESULT"}}),
    "errored": lambda handle, answer: tell(handle=handle, errored="cannot do this"),
    "undelivered": lambda handle, answer: tell(handle=handle, undelivered="nan"),
    "verbose-error": lambda handle, answer: tell(handle=handle, errored="x" * 1_000_000),
    "no-related": lambda handle, answer: say(answer.replace(', "related": []', "")),
    "blanks": lambda handle, answer: say(answer.replace("/toolCallId", "/toolCallId  ")),
    "endless-line": lambda handle, answer: say_without_end(),
    "not-utf8": lambda handle, answer: say_raw(b"\xff\xfe\n"),
    "deep": lambda handle, answer: say("[" * 100_000),
    "hostile": lambda handle, answer: tell(
        handle=handle,
        result={
            "diagnostics": [
                {"code": "\x1b[31m # <script>", "messageIndex": 0, "path": "/\ud800\n::error::", "related": []}
            ]
        },
    ),
    "wrong": lambda handle, answer: tell(handle=handle, result={"diagnostics": []}),
}

# What it says of itself that the real one does not.
INTRODUCTIONS: dict[str, dict[str, Any]] = {
    "rude": {"hello": "world"},
    "hostile": {"name": "\x1b]0;evil\x07<b>\ud800", "version": "[red]", "language": "::error::"},
    "able-to-nothing": {"operations": []},
    "no-text": {"operations": ["validate", "text"]},
    "no-paths": {"paths": False},
    "of-another-contract": {"contract": "9.9.9"},
    "no-hosts": {"hosts": [], "reasons": {"nan": "no such thing here"}},
}

# What it does when it is to stop, with the last line that it said.
ENDS: dict[str, Callable[[str], None]] = {
    "twice-at-the-end": say,
    "talkative": lambda last: say("bye"),
    "stubborn": lambda last: wait(),
}


def without_paths(answer: dict[str, Any]) -> dict[str, Any]:
    for diagnostic in answer.get("result", {}).get("diagnostics", []):
        diagnostic["path"], diagnostic["related"] = "/wrong", []
    return answer


def answer_run(way: str, line: str, held: list[str]) -> None:
    request = json.loads(line)
    answer = {"handle": request["handle"], **answered(request)}
    held.append(json.dumps(without_paths(answer) if way == "no-paths" else answer))
    if way == "backwards":  # two answers at a time, the later first
        if len(held) % 2 == 0:
            say(held[-1], held[-2])
    elif way in TRAPS and '"trap"' in line:
        TRAPS[way](request["handle"], held[-1])
    else:
        say(held[-1])


def main(way: str) -> None:
    held: list[str] = []
    for line in sys.stdin:
        match json.loads(line)["command"]:
            case "start":
                tell(**introduction() | INTRODUCTIONS.get(way, {}))
            case "run" if way == "always-crash":
                sys.exit("never again")
            case "run":
                answer_run(way, line, held)
            case "stop":
                if way in ENDS:
                    ENDS[way](held[-1])
                return


if __name__ == "__main__":
    main(sys.argv[1])

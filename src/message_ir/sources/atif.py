"""Trajectories in ATIF, the Agent Trajectory Interchange Format of Harbor (1.4 to 1.7): one JSON document, or one a line.

Kept: steps of users and agents with their text; an agent's `tool_calls`; the results of its `observation` that name their
call (`source_call_id`), text as it is. A message's id is made of the step: `step-3`.
Made: `isError`, false, and a result's tool name, that of the call with its id, since the format has neither.
Left out and counted: steps of the system, reasoning, images, trajectories of agents below the agent, and observations that
answer no call. Anything malformed is passed on as it is.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from message_ir.sources.assembly import Blocks, Draft, Origin, Texts, listed, renamed
from message_ir.sources.documents import OwnMessages

_TEXTS: Final = Texts(frozenset({"text"}), {"image": "image"})


class AtifTrajectory(OwnMessages):
    """The source `atif`."""

    name = "atif"
    title = "ATIF trajectory"

    envelopes = ("steps",)
    prompts: ClassVar = {"subagent_trajectories": "trajectory of an agent below the agent"}

    def is_message(self, value: object) -> bool:
        """A step."""
        return _is_step(value)

    def is_own(self, message: object) -> bool:
        """A step that says its source."""
        return _is_step(message)

    def recognises(self, value: object) -> bool:
        """An object with steps and a schema version of this format, or with steps that say their source."""
        return _is_version(value) or super().recognises(value)

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that each step makes."""
        for number, (step, origin) in enumerate(messages, 1):
            if not isinstance(step, dict):
                draft.carry(step, origin)
                continue
            id_, source = f"step-{number}", step.get("source")
            if step.get("reasoning_content"):
                draft.lose("reasoning", origin.at("reasoning_content"))
            if source == "system":
                draft.lose("step of the system", origin)
            else:
                content = _TEXTS.of(step.get("message"), origin.at("message"), draft)
                if source == "agent":
                    _add_agent(draft, step, content, origin, id_)
                else:
                    role = "user" if source == "user" else source
                    draft.add(
                        {"id": id_, "role": role, "content": content},
                        {(): origin, ("content",): origin.at("message"), ("role",): origin.at("source")},
                    )
            observation = step.get("observation")
            if isinstance(observation, dict):
                _add_results(draft, observation.get("results"), origin.at("observation", "results"), id_)
            elif observation is not None:
                draft.carry(observation, origin.at("observation"))


def _is_version(value: object) -> bool:
    version = value.get("schema_version") if isinstance(value, dict) else None
    return isinstance(version, str) and version.startswith("ATIF")


def _is_step(value: object) -> bool:
    return isinstance(value, dict) and "step_id" in value and "source" in value


def _add_agent(draft: Draft, step: dict[str, Any], content: object, origin: Origin, id_: str) -> None:
    calls = step.get("tool_calls")
    if not isinstance(content, str) and not (content is None and calls):
        draft.add(
            {"id": id_, "role": "assistant", "content": content}, {(): origin, ("content",): origin.at("message")}
        )
        return
    blocks = Blocks()
    if content:
        blocks.add_text(content, origin.at("message"))
    if isinstance(calls, list):
        for call, here in listed(calls, origin.at("tool_calls")):
            names = {"tool_call_id": "id", "function_name": "name", "arguments": "arguments"}
            block = {"type": "toolCall", **renamed(call, names)} if isinstance(call, dict) else call
            blocks.add(block, here, {"id": here.at("tool_call_id"), "name": here.at("function_name")})
    elif calls is not None:
        blocks.add(calls, origin.at("tool_calls"))
    draft.add_assistant(id_, blocks, origin)


def _add_results(draft: Draft, results: object, origin: Origin, id_: str) -> None:
    if results is None:
        return
    if not isinstance(results, list):
        draft.carry(results, origin)
        return
    for result, here in listed(results, origin):
        if not isinstance(result, dict):
            draft.carry(result, here)
            continue
        if result.get("subagent_trajectory_ref"):
            draft.lose("trajectory of an agent below the agent", here.at("subagent_trajectory_ref"))
        if result.get("source_call_id") is None:
            draft.lose("observation that answers no call", here)
            continue
        given = result.get("content")
        content = "" if given is None else _TEXTS.of(given, here.at("content"), draft)
        fields = {"id": id_, "toolCallId": result["source_call_id"], "content": content, "isError": False}
        draft.add_result(fields, {(): here, ("toolCallId",): here.at("source_call_id")})

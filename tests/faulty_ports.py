"""Ports with one clause of the contract dropped or bent: the real one, with one of its parts replaced.

Each stands for a mistake that ports make. What it bends is named by its clause.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import msgspec
import pytest
from frozendict import frozendict

import message_ir
from message_ir import (
    arguments,
    construction,
    findings,
    inspection,
    json_text,
    linkage,
    transcripts,
    validation,
    values,
)
from message_ir.arguments import Fault
from message_ir.conformance import hosts, operations, port
from message_ir.findings import Finding
from message_ir.inspection import Call, Result
from message_ir_types.messages import DiagnosticCode, Reason

Patch = pytest.MonkeyPatch
Json = Any


class Faulty(NamedTuple):
    """One faulty port."""

    clause: str
    """What it bends."""
    bend: Callable[[Patch], None]


FAULTY: dict[str, Faulty] = {}


def bends(clause: str) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    """Enters a faulty port into the table, under its function's name."""

    def enter(bend: Callable[[Patch], None]) -> Callable[[Patch], None]:
        FAULTY[bend.__name__] = Faulty(clause, bend)
        return bend

    return enter


# ---- what ports do to the whole answer, or to the whole input


def change_diagnostics(patch: Patch, change: Callable[[list[Json]], list[Json]]) -> None:
    whole = operations._diagnosed
    patch.setattr(operations, "_diagnosed", lambda found: {"diagnostics": change(whole(found)["diagnostics"])})


def change_records(patch: Patch, change: Callable[[Json], Json]) -> None:
    """Changes each record and block that is a plain dict, before it is validated."""

    def changed(value: Json) -> Json:
        if type(value) is list:
            return [changed(each) for each in value]
        if type(value) is dict:
            content = {"content": changed(value["content"])} if type(value.get("content")) is list else {}
            return change(value | content)
        return value

    inspect = inspection.inspect
    for module in (validation, transcripts):
        patch.setattr(module, "inspect", lambda value, **options: inspect(changed(value), **options))


def with_ids(change: Callable[[str], str]) -> Callable[[Json], Json]:
    return lambda fields: {
        key: change(value) if key in {"id", "toolCallId"} and type(value) is str else value
        for key, value in fields.items()
    }


@bends("assistant.content")
def rejects_everything(patch: Patch) -> None:
    broken = {"code": "INVALID_TRANSCRIPT", "messageIndex": -1, "path": "", "related": []}
    change_diagnostics(patch, lambda found: found or [broken])


@bends("linkage.missing")
def accepts_everything(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: [])


@bends("linkage.duplicate-call")
def reports_the_first_only(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: found[:1])


@bends("call.fields")
def reports_one_of_each_code(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: list({each["code"]: each for each in reversed(found)}.values())[::-1])


@bends("order.calls")
def orders_by_index(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: sorted(found, key=lambda each: each["messageIndex"]))


@bends("order.walk")
def orders_by_code(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: sorted(found, key=lambda each: each["code"]))


@bends("diagnostic.related")
def never_relates(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: [each | {"related": []} for each in found])


@bends("diagnostic.path")
def points_at_records(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: [each | {"path": "/".join(each["path"].split("/")[:2])} for each in found])


@bends("diagnostic.path")
def does_not_escape_pointers(patch: Patch) -> None:
    patch.setattr(findings, "pointer", lambda path: "".join(f"/{step}" for step in path))


@bends("diagnostic.index")
def counts_from_one(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: [each | {"messageIndex": each["messageIndex"] + 1} for each in found])


@bends("diagnostic.index")
def places_the_whole_at_the_first_record(patch: Patch) -> None:
    change_diagnostics(patch, lambda found: [each | {"messageIndex": max(each["messageIndex"], 0)} for each in found])


# ---- strings


@bends("string.exact")
def trims_ids(patch: Patch) -> None:
    change_records(patch, with_ids(str.strip))


@bends("string.exact")
def folds_case_of_ids(patch: Patch) -> None:
    change_records(patch, with_ids(str.casefold))


@bends("string.exact")
def normalises_ids(patch: Patch) -> None:
    change_records(patch, with_ids(lambda id_: unicodedata.normalize("NFC", id_)))


@bends("string.blank")
def strips_for_trim(patch: Patch) -> None:
    patch.setattr(inspection, "is_blank", lambda text: not text.strip())


@bends("string.non-blank")
def knows_only_the_empty_string(patch: Patch) -> None:
    patch.setattr(inspection, "is_blank", lambda text: not text)


@bends("string.blank")
def knows_only_ascii_blanks(patch: Patch) -> None:
    patch.setattr(inspection, "is_blank", lambda text: not text.strip(" \t\n\r\v\f"))


@bends("string.unicode")
def lets_surrogates_through(patch: Patch) -> None:
    patch.setattr(inspection, "is_unicode", lambda text: True)


@bends("string.empty")
def refuses_empty_content(patch: Patch) -> None:
    patch.setitem(inspection.CHECKS, Reason.STRING, inspection.CHECKS[Reason.NON_BLANK_STRING])


# ---- records and blocks


@bends("properties.ignored")
def folds_case_of_keys(patch: Patch) -> None:
    known = {"toolcallid": "toolCallId", "toolname": "toolName", "iserror": "isError"}
    change_records(patch, lambda fields: {known.get(key.lower(), key.lower()): value for key, value in fields.items()})


@bends("properties.ignored")
def refuses_unknown_properties(patch: Patch) -> None:
    known = {"id", "role", "content", "toolCallId", "toolName", "isError", "type", "text", "name", "arguments"}
    change_records(patch, lambda fields: fields if fields.keys() <= known else None)


@bends("transcript.array")
def unpacks_envelopes(patch: Patch) -> None:
    inspect = inspection.inspect
    patch.setattr(
        validation, "inspect", lambda value: inspect(value.get("messages", value) if type(value) is dict else value)
    )


@bends("message.id-repeats")
def wants_unique_message_ids(patch: Patch) -> None:
    def judge(value: object, **_: object) -> validation.Verdict:
        seen: set[str] = set()
        found = []
        for index, record in enumerate(value if type(value) is list else ()):
            id_ = record.get("id") if type(record) is dict else None
            if type(id_) is str and id_ in seen:
                found.append(
                    Finding(DiagnosticCode.INVALID_MESSAGE, (index, "id"), reason=Reason.STRING, facts=NO_FACTS)
                )
            seen |= {id_} if type(id_) is str else set()
        whole = original(value)
        return whole._replace(diagnostics=(*whole.diagnostics, *validation.diagnostics(found)))

    original = validation.judge
    patch.setattr(validation, "judge", judge)


NO_FACTS = {"found": ""}


@bends("message.id")
def needs_no_message_ids(patch: Patch) -> None:
    change_records(patch, lambda fields: fields | {"id": "m"} if "role" in fields else fields)


@bends("message.role")
def skips_unknown_roles(patch: Patch) -> None:
    message = inspection.Inspector.message
    known = {"user", "assistant", "toolResult"}

    def judge(self: Any, record: Any, index: int) -> None:
        role = record.get("role") if type(record) is dict else "user"
        if type(role) is not str or role in known:
            message(self, record, index)

    patch.setattr(inspection.Inspector, "message", judge)


@bends("message.object")
def skips_records_that_are_no_objects(patch: Patch) -> None:
    message = inspection.Inspector.message
    patch.setattr(
        inspection.Inspector,
        "message",
        lambda self, record, index: message(self, record, index) if values.reader(record) else None,
    )


@bends("message.order")
def judges_ids_before_roles(patch: Patch) -> None:
    header = inspection._message_header

    def judge(fields: Any) -> Any:
        problem = header(fields)
        fault = inspection._non_blank_string(fields["id"])
        if problem is not None and problem.path == ("role",) and type(fault) is Fault:
            return inspection._Problem(("id",), fault.reason, fields["id"])
        return problem

    patch.setattr(inspection, "_MESSAGE", inspection._MESSAGE._replace(header=judge))


@bends("user.content")
def lets_users_send_blocks(patch: Patch) -> None:
    change_records(
        patch,
        lambda fields: (
            fields | {"content": ""} if fields.get("role") == "user" and type(fields.get("content")) is list else fields
        ),
    )


@bends("assistant.content")
def lets_assistants_send_a_string(patch: Patch) -> None:
    change_records(
        patch,
        lambda fields: (
            fields | {"content": []}
            if fields.get("role") == "assistant" and type(fields.get("content")) is str
            else fields
        ),
    )


@bends("assistant.blocks")
def stops_at_the_first_bad_block(patch: Patch) -> None:
    block = inspection.Inspector._block
    stopped: set[tuple[int, int]] = set()

    def judge(self: Any, value: Any, index: int, at: int) -> Any:
        if (id(self), index) in stopped and at > 0:
            return None
        judged = block(self, value, index, at)
        if judged is None:
            stopped.add((id(self), index))
        else:
            stopped.discard((id(self), index))
        return judged

    patch.setattr(inspection.Inspector, "_block", judge)


@bends("block.type")
def skips_unknown_blocks(patch: Patch) -> None:
    block = inspection.Inspector._block

    def judge(self: Any, value: Any, index: int, at: int) -> Any:
        kind = value.get("type") if type(value) is dict else "text"
        return block(self, value, index, at) if kind in {"text", "toolCall", None} else True

    patch.setattr(inspection.Inspector, "_block", judge)


def one_problem_each(patch: Patch, role_or_type: str) -> None:
    judge = inspection.Inspector._judge

    def first(self: Any, value: Any, read: Any, union: Any, fields: Any) -> Any:
        judged = judge(self, value, read, union, fields)
        if isinstance(judged, inspection._Refused) and fields.get(union.tag) == role_or_type:
            return judged._replace(problems=judged.problems[:1])
        return judged

    patch.setattr(inspection.Inspector, "_judge", first)


@bends("call.fields")
def reports_one_field_of_a_call(patch: Patch) -> None:
    one_problem_each(patch, "toolCall")


@bends("result.fields")
def reports_one_field_of_a_result(patch: Patch) -> None:
    one_problem_each(patch, "toolResult")


@bends("call.name")
def calls_an_empty_name_an_invalid_message(patch: Patch) -> None:
    patch.setattr(inspection, "_code", lambda rule, fault: DiagnosticCode.INVALID_MESSAGE)


@bends("name.unicode")
def calls_a_surrogate_an_empty_name(patch: Patch) -> None:
    patch.setattr(inspection, "_code", lambda rule, fault: rule.code)


@bends("result.is-error")
def takes_truth_for_booleans(patch: Patch) -> None:
    patch.setitem(inspection.CHECKS, Reason.BOOLEAN, bool)


@bends("result.is-error")
def defaults_is_error(patch: Patch) -> None:
    change_records(patch, lambda fields: {"isError": False} | fields)


# ---- arguments


@bends("arguments.object")
def takes_arrays_for_arguments(patch: Patch) -> None:
    check = inspection.CHECKS[Reason.PLAIN_OBJECT]
    patch.setitem(
        inspection.CHECKS, Reason.PLAIN_OBJECT, lambda value: check({"": value} if type(value) is list else value)
    )


@bends("arguments.object")
def parses_arguments_that_are_text(patch: Patch) -> None:
    check = inspection.CHECKS[Reason.PLAIN_OBJECT]
    patch.setitem(inspection.CHECKS, Reason.PLAIN_OBJECT, lambda value: check({} if type(value) is str else value))


@bends("arguments.object")
def takes_null_for_empty_arguments(patch: Patch) -> None:
    check = inspection.CHECKS[Reason.PLAIN_OBJECT]
    patch.setitem(inspection.CHECKS, Reason.PLAIN_OBJECT, lambda value: check({} if value is None else value))


@bends("arguments.values")
def does_not_look_into_arguments(patch: Patch) -> None:
    check = inspection.CHECKS[Reason.PLAIN_OBJECT]
    patch.setitem(inspection.CHECKS, Reason.PLAIN_OBJECT, lambda value: check(value if type(value) is not dict else {}))


@bends("arguments.values")
def takes_foreign_values_for_text(patch: Patch) -> None:
    judge = arguments._judge
    plain = (dict, list, tuple, frozendict)
    patch.setattr(
        arguments,
        "_judge",
        lambda value: None if judge(value) is arguments._NOT_SCALAR and type(value) not in plain else judge(value),
    )


@bends("arguments.numbers")
def lets_infinities_through(patch: Patch) -> None:
    patch.setattr(arguments, "_is_finite", lambda value: True)


@bends("arguments.numbers")
def lets_huge_integers_through(patch: Patch) -> None:
    finite = arguments._is_finite
    patch.setattr(arguments, "_is_finite", lambda value: type(value) is int or finite(value))


@bends("arguments.numbers")
def refuses_unsafe_integers(patch: Patch) -> None:
    finite = arguments._is_finite
    patch.setattr(arguments, "_is_finite", lambda value: finite(value) and abs(value) <= 2**53)


@bends("arguments.unicode")
def lets_surrogates_into_arguments(patch: Patch) -> None:
    patch.setattr(arguments, "is_unicode", lambda text: True)


@bends("arguments.depth")
def allows_one_level_more(patch: Patch) -> None:
    patch.setattr(arguments, "ARGUMENTS_DEPTH", 101)


@bends("arguments.depth")
def allows_one_level_less(patch: Patch) -> None:
    patch.setattr(arguments, "ARGUMENTS_DEPTH", 99)


@bends("arguments.cycle")
def finds_cycles_by_their_depth(patch: Patch) -> None:
    enter = arguments._Walk._enter

    def forgetful(self: Any, value: object) -> Any:
        self._inside.clear()
        return enter(self, value)

    patch.setattr(arguments._Walk, "_enter", forgetful)


@bends("arguments.shared")
def takes_shared_values_for_cycles(patch: Patch) -> None:
    class Kept(set[int]):
        def discard(self, element: object) -> None:
            """Nothing is ever left again."""

    class Forgotten(dict[int, Any]):
        def get(self, key: int, default: Any = None) -> Any:
            return default

    start = arguments._Walk.__init__

    def init(self: Any, **options: Any) -> None:
        start(self, **options)
        self._inside, self._done = Kept(), Forgotten()

    patch.setattr(arguments._Walk, "__init__", init)


@bends("arguments.first")
def reports_the_last_fault_of_arguments(patch: Patch) -> None:
    start = arguments._Frame.__init__

    def backwards(self: Any, container: object, keys: Any, children: Any) -> None:
        start(self, container, keys, children)
        self.rest = reversed(list(self.rest))

    patch.setattr(arguments._Frame, "__init__", backwards)


@bends("arguments.first")
def visits_keys_in_the_order_of_the_alphabet(patch: Patch) -> None:
    opened = arguments._open
    patch.setattr(
        arguments,
        "_open",
        lambda value: opened(dict(sorted(value.items())) if type(value) is dict and all_text(value) else value),
    )


def all_text(keys: Iterable[Any]) -> bool:
    return all(type(key) is str for key in keys)


@bends("arguments.values")
def reads_arrays_in_arguments_by_their_iterator(patch: Patch) -> None:
    patch.setattr(arguments, "items", lambda value: list(iter(value)) if isinstance(value, list | tuple) else None)


@bends("arguments.keys")
def does_not_look_at_keys(patch: Patch) -> None:
    opened = arguments._open

    def careless(value: Any) -> Any:
        if type(value) is dict:
            value = {str(key).encode(errors="replace").decode(): child for key, child in value.items()}
        return opened(value)

    patch.setattr(arguments, "_open", careless)


# ---- reading


@bends("read.before-judging")
def reads_twice(patch: Patch) -> None:
    read_once = values.reader

    def reader(value: object) -> Any:
        read = read_once(value)
        if read is None:
            return None

        def twice(value: Any, name: str, default: object) -> object:
            read(value, name, default)
            return read(value, name, default)

        return twice

    patch.setattr(inspection, "reader", reader)


@bends("read.before-judging")
def trusts_iterators(patch: Patch) -> None:
    patch.setattr(inspection, "items", lambda value: list(iter(value)) if isinstance(value, list | tuple) else None)


@bends("read.raises")
def takes_what_raises_for_absent(patch: Patch) -> None:
    def read(value: Any, name: str, default: object) -> object:
        try:
            return value[name]
        except Exception:  # noqa: BLE001 # that is the mistake
            return default

    patch.setattr(values, "_read_mapping", read)


@bends("validate.never-raises")
def raises_what_a_property_raises(patch: Patch) -> None:
    def judge(value: object) -> Any:
        for record in value if type(value) is list else ():
            if not isinstance(record, dict) and hasattr(record, "keys"):
                dict(record)
        return original(value)

    original = validation.judge
    patch.setattr(validation, "judge", judge)


# ---- linkage


def without_rule(patch: Patch, code: DiagnosticCode) -> None:
    stages = tuple(
        stage._replace(rules=tuple(rule for rule in stage.rules if rule.code is not code)) for stage in linkage.STAGES
    )
    patch.setattr(linkage, "STAGES", stages)


def with_rule(patch: Patch, code: DiagnosticCode, judge: Any) -> None:
    stages = tuple(
        stage._replace(rules=tuple(rule._replace(judge=judge) if rule.code is code else rule for rule in stage.rules))
        for stage in linkage.STAGES
    )
    patch.setattr(linkage, "STAGES", stages)


for clause, code in {
    "linkage.duplicate-call": DiagnosticCode.DUPLICATE_TOOL_CALL_ID,
    "linkage.duplicate-result": DiagnosticCode.DUPLICATE_TOOL_RESULT,
    "linkage.orphan": DiagnosticCode.ORPHAN_TOOL_RESULT,
    "linkage.before-call": DiagnosticCode.TOOL_RESULT_BEFORE_CALL,
    "linkage.name-mismatch": DiagnosticCode.TOOL_NAME_MISMATCH,
    "linkage.missing": DiagnosticCode.MISSING_TOOL_RESULT,
}.items():
    FAULTY[f"has_no_rule_for_{code.lower()}"] = Faulty(clause, partial(without_rule, code=code))


@bends("linkage.missing")
def forgives_the_last_turn(patch: Patch) -> None:
    judge = linkage.missing

    def lenient(call: Call, links: Any) -> Any:
        last = max(event.record for event in links.walk if type(event) is not Finding)
        return None if call.record == last else judge(call, links)

    with_rule(patch, DiagnosticCode.MISSING_TOOL_RESULT, lenient)


@bends("linkage.missing")
def takes_an_early_result_for_an_answer(patch: Patch) -> None:
    judge = linkage.missing
    with_rule(
        patch,
        DiagnosticCode.MISSING_TOOL_RESULT,
        lambda call, links: None if call.id in links.results else judge(call, links),
    )


@bends("linkage.missing")
def counts_the_first_result_only(patch: Patch) -> None:
    judge = linkage.missing

    def strict(call: Call, links: Any) -> Any:
        kept = {id_: results[:1] for id_, results in links.results.items()}
        all_results, links.results = links.results, kept
        found = judge(call, links)
        links.results = all_results
        return found

    with_rule(patch, DiagnosticCode.MISSING_TOOL_RESULT, strict)


@bends("linkage.duplicate-result")
def counts_the_last_duplicate(patch: Patch) -> None:
    def judge(result: Result, links: Any) -> Any:
        last = links.results[result.id][-1]
        if last is result:
            return None
        path, other = (result.record, "toolCallId"), (last.record, "toolCallId")
        return Finding(DiagnosticCode.DUPLICATE_TOOL_RESULT, path, (other,), facts={"id": ""})

    with_rule(patch, DiagnosticCode.DUPLICATE_TOOL_RESULT, judge)


@bends("linkage.name-mismatch")
def folds_case_of_names(patch: Patch) -> None:
    judge = linkage.name_mismatch

    def lenient(result: Result, links: Any) -> Any:
        call = links.call_of(result)
        return None if call and call.name.lower() == result.name.lower() else judge(result, links)

    with_rule(patch, DiagnosticCode.TOOL_NAME_MISMATCH, lenient)


def with_links(patch: Patch, change: Callable[[Any], None]) -> None:
    class Bent(linkage.Links):
        def __init__(self, observed: Any) -> None:
            super().__init__(observed)
            change(self)

    patch.setattr(linkage, "Links", Bent)


@bends("linkage.ambiguous")
def takes_the_first_of_several_calls(patch: Patch) -> None:
    with_links(patch, lambda links: links.ambiguous.clear())


@bends("silence.malformed-call")
def is_not_silent_for_malformed_calls(patch: Patch) -> None:
    with_links(patch, lambda links: links.malformed_calls.clear())


@bends("silence.malformed-result")
def is_not_silent_for_malformed_results(patch: Patch) -> None:
    with_links(patch, lambda links: links.malformed_results.clear())


@bends("silence.malformed-result")
def is_too_silent_for_malformed_results(patch: Patch) -> None:
    with_links(patch, lambda links: links.malformed_calls.update(links.malformed_results))


@bends("silence.malformed-call")
def is_too_silent_for_malformed_calls(patch: Patch) -> None:
    def change(links: Any) -> None:
        links.walk = [event for event in links.walk if type(event) is Finding or event.id not in links.malformed_calls]

    with_links(patch, change)


def noting_nothing_of(patch: Patch, is_meant: Callable[[Any], bool]) -> None:
    note = inspection.Inspector._note_malformed
    patch.setattr(
        inspection.Inspector,
        "_note_malformed",
        lambda self, fields: None if is_meant(fields) else note(self, fields),
    )


@bends("silence.message-level")
def drops_bad_records_whole(patch: Patch) -> None:
    noting_nothing_of(patch, lambda fields: "role" in fields and "toolName" not in fields)


@bends("silence.malformed-ids")
def drops_bad_results_whole(patch: Patch) -> None:
    noting_nothing_of(patch, lambda fields: "toolName" in fields or "type" in fields)


@bends("silence.block-type")
def drops_unknown_blocks_whole(patch: Patch) -> None:
    readable = inspection._read_readable

    def read(value: Any, read: Any, names: Any, fields: Any) -> None:
        if "type" not in fields or fields["type"] in {"text", "toolCall"}:
            readable(value, read, names, fields)

    patch.setattr(inspection, "_read_readable", read)


@bends("linkage.well-formed")
def links_malformed_results(patch: Patch) -> None:
    note = inspection.Inspector._note_malformed

    def judge(self: Any, fields: Any) -> None:
        note(self, fields)
        id_ = fields.get("toolCallId")
        if type(id_) is str and id_.strip():
            self.observed.walk.append(Result(id_, "", self.observed.walk[-1].path[0]))

    patch.setattr(inspection.Inspector, "_note_malformed", judge)


@bends("order.results")
def does_not_group_results(patch: Patch) -> None:
    walk, results, calls = linkage.STAGES
    by_position = results._replace(events=lambda links: [event for event in links.walk if type(event) is Result])
    patch.setattr(linkage, "STAGES", (walk, by_position, calls))


@bends("order.calls")
def reports_missing_results_first(patch: Patch) -> None:
    patch.setattr(linkage, "STAGES", linkage.STAGES[::-1])


@bends("order.calls")
def sorts_missing_results_by_id(patch: Patch) -> None:
    *first, last = linkage.STAGES
    by_id = last._replace(events=lambda links: [links.calls[id_] for id_ in sorted(links.calls)])
    patch.setattr(linkage, "STAGES", (*first, by_id))


@bends("order.results")
def keeps_results_in_an_object_that_sorts_numbers(patch: Patch) -> None:
    walk, results, calls = linkage.STAGES

    def events(links: Any) -> Iterable[Any]:
        numbers = sorted((id_ for id_ in links.results if id_.isdecimal()), key=int)
        others = [id_ for id_ in links.results if not id_.isdecimal()]
        return [result for id_ in [*numbers, *others] for result in links.results[id_]]

    patch.setattr(linkage, "STAGES", (walk, results._replace(events=events), calls))


# ---- JSON text


def on_text(patch: Patch, change: Callable[[Any], Any]) -> None:
    parse = json_text.parse
    patch.setattr(validation, "parse", lambda text: parse(change(text)))


@bends("text.json")
def takes_a_byte_order_mark(patch: Patch) -> None:
    on_text(patch, lambda text: text.removeprefix("\ufeff" if isinstance(text, str) else b"\xef\xbb\xbf"))


@bends("text.json")
def takes_nan_for_a_number(patch: Patch) -> None:
    decoder = json.JSONDecoder(parse_int=json_text._integer)
    patch.setattr(json_text, "_DECODER", decoder)


@bends("text.json")
def stops_reading_after_the_value(patch: Patch) -> None:
    class Lenient(json.JSONDecoder):
        def decode(self, text: str, *_: Any) -> Any:
            return self.raw_decode(text.lstrip(" \t\n\r"))[0]

    patch.setattr(json_text, "_DECODER", Lenient(parse_int=json_text._integer, parse_constant=json_text._constant))


@bends("text.json")
def lets_control_characters_into_strings(patch: Patch) -> None:
    options: Any = {"parse_int": json_text._integer, "parse_constant": json_text._constant, "strict": False}
    patch.setattr(json_text, "_DECODER", json.JSONDecoder(**options))


@bends("text.utf8")
def replaces_what_is_not_utf8(patch: Patch) -> None:
    on_text(patch, lambda text: text.decode(errors="replace") if isinstance(text, bytes) else text)


@bends("text.escaped-surrogate")
def replaces_escaped_surrogates(patch: Patch) -> None:
    on_text(
        patch, lambda text: text.replace("\\ud8", "\\u00").replace("\\ud9", "\\u00") if isinstance(text, str) else text
    )


@bends("text.repeated-keys")
def takes_the_first_of_repeated_keys(patch: Patch) -> None:
    options: Any = {"parse_int": json_text._integer, "parse_constant": json_text._constant}
    decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: dict(reversed(pairs)), **options)
    patch.setattr(json_text, "_DECODER", decoder)


@bends("text.large-number")
def refuses_large_numbers_as_text(patch: Patch) -> None:
    def number(digits: str) -> float:
        if float(digits) in {float("inf"), -float("inf")}:
            raise json_text.NotJsonError("number out of range")
        return float(digits)

    options: Any = {"parse_int": json_text._integer, "parse_constant": json_text._constant, "parse_float": number}
    patch.setattr(json_text, "_DECODER", json.JSONDecoder(**options))


@bends("text.depth")
def refuses_deep_text(patch: Patch) -> None:
    def refuse(source: str) -> Any:
        raise json_text.NotJsonError("too deep")

    patch.setattr(json_text, "_parse_deep", refuse)


# ---- construction


@bends("construct.error")
def gives_no_place(patch: Patch) -> None:
    patch.setattr(construction, "pointer", lambda path: "")


@bends("construct.error")
def gives_one_reason_for_all(patch: Patch) -> None:
    perform = operations.perform

    def vague(request: Any) -> Any:
        result = perform(request)
        return {"error": result["error"] | {"reason": "jsonValue"}} if "error" in result else result

    patch.setattr(port, "perform", vague)


@bends("construct.copy")
def keeps_the_callers_arguments(patch: Patch) -> None:
    patch.setattr(arguments, "freeze", lambda value: arguments.first_fault(value) or value)


@bends("construct.frozen")
def freezes_the_outside_only(patch: Patch) -> None:
    patch.setattr(
        arguments, "freeze", lambda value: arguments.first_fault(value) or json.loads(msgspec.json.encode(value))
    )


@bends("construct.text")
def joins_text_by_lines(patch: Patch) -> None:
    def join(request: Any) -> Any:
        texts = [block["text"] for block in hosts.build(request["input"])["content"] if block.get("type") == "text"]
        return {"text": "\n".join(texts)}

    text = operations._text
    patch.setitem(
        operations.OPERATIONS, "text", lambda request: join(request) if "text" in text(request) else text(request)
    )


@bends("construct.text")
def joins_text_that_is_no_unicode(patch: Patch) -> None:
    patch.setitem(inspection.CHECKS, Reason.STRING, lambda value: value if type(value) is str else fault(value))

    def fault(value: object) -> Fault:
        return Fault(Reason.STRING, (), value)


@bends("construct.round-trip")
def loses_the_order_of_blocks(patch: Patch) -> None:
    loads = message_ir.loads

    def shuffled(text: str) -> Any:
        messages = json.loads(text)
        for message in messages:
            if message["role"] == "assistant":
                message["content"].sort(key=lambda block: block["type"])
        return loads(json.dumps(messages))

    patch.setattr(message_ir, "loads", shuffled)

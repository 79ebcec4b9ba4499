/**
 * The rules that tie calls and results together, and the order in which they report.
 *
 * A rule takes a call or a result and all that carries its id, and returns a finding or null. It sees only what inspection
 * observed, never the input. Clauses `linkage.*`, `silence.*` and `order.*`.
 */
import { type Finding, linkageFinding } from "./findings.js";
import type { Call, Observed, Result } from "./inspection.js";
import { type Path, quote } from "./words.js";

/** The well-formed calls and results that carry one id. */
class Link {
  /** The first call. */
  call: Call | undefined = undefined;
  /** Whether more calls carry the id. */
  ambiguous = false;
  /** The first result, and those that follow it. */
  result: Result | undefined = undefined;
  later: Result[] | undefined = undefined;

  /** Adds the next call or result in the walk. */
  add(event: Call | Result): void {
    if (event.kind === "result") {
      if (this.result === undefined) this.result = event;
      else (this.later ??= []).push(event);
    } else if (this.call === undefined) this.call = event;
    else this.ambiguous = true;
  }
}

/** Judges one call or result by all that carries its id, and by the ids of calls and results that are themselves reported. */
type Rule<Event> = (event: Event, link: Link, observed: Observed) => Finding | null;

const duplicateCall: Rule<Call> = (call, { call: first }) => {
  if (first === undefined || first === call) return null;
  return linkageFinding("DUPLICATE_TOOL_CALL_ID", idOf(call), [idOf(first)], { id: quote(call.id) });
};

const duplicateResult: Rule<Result> = (result, { result: first }) => {
  if (first === undefined || first === result) return null;
  return linkageFinding("DUPLICATE_TOOL_RESULT", callIdOf(result), [callIdOf(first)], { id: quote(result.id) });
};

const orphan: Rule<Result> = (result, { call }, { malformedCalls }) => {
  if (call !== undefined || malformedCalls.has(result.id)) return null;
  return linkageFinding("ORPHAN_TOOL_RESULT", callIdOf(result), [], { id: quote(result.id) });
};

const beforeCall: Rule<Result> = (result, { call, ambiguous }, { malformedCalls }) => {
  if (call === undefined || result.record > call.record || ambiguous || malformedCalls.has(result.id)) return null;
  return linkageFinding("TOOL_RESULT_BEFORE_CALL", callIdOf(result), [idOf(call)], { id: quote(result.id) });
};

const nameMismatch: Rule<Result> = (result, { call, ambiguous }, { malformedCalls }) => {
  if (call === undefined || result.record <= call.record || result.name === call.name || ambiguous || malformedCalls.has(result.id)) return null;
  const facts = { id: quote(call.id), name: quote(result.name), callName: quote(call.name) };
  return linkageFinding("TOOL_NAME_MISMATCH", [result.record, "toolName"], [[call.record, "content", call.block, "name"]], facts);
};

const missing: Rule<Call> = (call, { ambiguous, result, later }, { malformedCalls, malformedResults }) => {
  // Results are in order, so the last one tells.
  const last = later?.at(-1) ?? result;
  if (last !== undefined && last.record > call.record) return null;
  if (ambiguous || malformedCalls.has(call.id) || malformedResults.has(call.id)) return null;
  return linkageFinding("MISSING_TOOL_RESULT", idOf(call), [], { id: quote(call.id) });
};

// Which rules judge an event, in the order in which they report.
const OF_RESULT = [orphan, beforeCall, nameMismatch] as const;

/** Every finding of a transcript, shapes and linkage, in the order of the contract: stage by stage. */
export function findings(observed: Observed): Finding[] {
  const { walk } = observed;
  const links = linked(walk);
  const found: Finding[] = [];
  const add = (finding: Finding | null): void => {
    if (finding !== null) found.push(finding);
  };
  // Clause order.walk.
  walk.forEach((event, at) => {
    const link = links[at] as Link;
    if (event.kind === "finding") add(event);
    else add(event.kind === "call" ? duplicateCall(event, link, observed) : duplicateResult(event, link, observed));
  });
  // Clause order.results: the first result of an id brings the others with it.
  walk.forEach((event, at) => {
    const link = links[at] as Link;
    if (link.result !== event) return;
    for (const rule of OF_RESULT) add(rule(link.result, link, observed));
    for (const result of link.later ?? []) for (const rule of OF_RESULT) add(rule(result, link, observed));
  });
  // Clause order.calls.
  walk.forEach((event, at) => {
    const link = links[at] as Link;
    if (link.call === event) add(missing(link.call, link, observed));
  });
  return found;
}

/** The links of a walk, one for each event: events of one id share one, and findings have an empty one. */
function linked(walk: Observed["walk"]): readonly Link[] {
  const links = new Map<string, Link>();
  const none = new Link();
  return walk.map((event) => {
    if (event.kind === "finding") return none;
    let link = links.get(event.id);
    if (link === undefined) links.set(event.id, (link = new Link()));
    link.add(event);
    return link;
  });
}

function idOf(call: Call): Path {
  return [call.record, "content", call.block, "id"];
}

function callIdOf(result: Result): Path {
  return [result.record, "toolCallId"];
}

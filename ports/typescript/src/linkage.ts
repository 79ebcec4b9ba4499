/**
 * The rules that tie calls and results together, as one table, and the order in which they report.
 *
 * A rule takes a call or a result and the links of the whole transcript, and returns a finding or null. It sees only what
 * inspection observed, never the input. Clauses `linkage.*`, `silence.*` and `order.*`.
 */
import { type Finding, linkageFinding } from "./findings.js";
import type { Call, Observed, Result } from "./inspection.js";
import { type Path, quote } from "./words.js";

/** Which calls and results carry which ids. */
class Links {
  readonly observed: Observed;
  /** The first call of each id. */
  readonly calls = new Map<string, Call>();
  /** All results of each id, by position; the ids in order of first appearance. */
  readonly results = new Map<string, Result[]>();
  /** The ids that several calls carry. */
  readonly ambiguous = new Set<string>();

  constructor(observed: Observed) {
    this.observed = observed;
    for (const event of observed.walk) {
      if (event.kind === "call") {
        if (this.calls.has(event.id)) this.ambiguous.add(event.id);
        else this.calls.set(event.id, event);
      } else if (event.kind === "result") {
        const all = this.results.get(event.id);
        if (all === undefined) this.results.set(event.id, [event]);
        else all.push(event);
      }
    }
  }

  /** The one call that a result answers; undefined where there is none, or where its id is ambiguous or malformed. */
  callOf(result: Result): Call | undefined {
    const explained = this.ambiguous.has(result.id) || this.observed.malformedCalls.has(result.id);
    return explained ? undefined : this.calls.get(result.id);
  }
}

type Rule<Event> = (event: Event, links: Links) => Finding | null;

const duplicateCall: Rule<Call> = (call, links) => {
  const first = links.calls.get(call.id);
  if (first === undefined || first === call) return null;
  return linkageFinding("DUPLICATE_TOOL_CALL_ID", idOf(call), [idOf(first)], { id: quote(call.id) });
};

const duplicateResult: Rule<Result> = (result, links) => {
  const first = links.results.get(result.id)?.[0];
  if (first === undefined || first === result) return null;
  return linkageFinding("DUPLICATE_TOOL_RESULT", callIdOf(result), [callIdOf(first)], { id: quote(result.id) });
};

const orphan: Rule<Result> = (result, links) => {
  if (links.calls.has(result.id) || links.observed.malformedCalls.has(result.id)) return null;
  return linkageFinding("ORPHAN_TOOL_RESULT", callIdOf(result), [], { id: quote(result.id) });
};

const beforeCall: Rule<Result> = (result, links) => {
  const call = links.callOf(result);
  if (call === undefined || result.record > call.record) return null;
  return linkageFinding("TOOL_RESULT_BEFORE_CALL", callIdOf(result), [idOf(call)], { id: quote(result.id) });
};

const nameMismatch: Rule<Result> = (result, links) => {
  const call = links.callOf(result);
  if (call === undefined || result.record <= call.record || result.name === call.name) return null;
  const facts = { id: quote(call.id), name: quote(result.name), callName: quote(call.name) };
  return linkageFinding("TOOL_NAME_MISMATCH", [result.record, "toolName"], [[call.record, "content", call.block, "name"]], facts);
};

const missing: Rule<Call> = (call, links) => {
  const { malformedCalls, malformedResults } = links.observed;
  if (links.ambiguous.has(call.id) || malformedCalls.has(call.id) || malformedResults.has(call.id)) return null;
  // Results are in order, so the last one tells.
  const last = links.results.get(call.id)?.at(-1);
  if (last !== undefined && last.record > call.record) return null;
  return linkageFinding("MISSING_TOOL_RESULT", idOf(call), [], { id: quote(call.id) });
};

/** Rules that report together, in the order of the events that they judge. */
interface Stage {
  readonly events: (links: Links) => Iterable<Finding | Call | Result>;
  readonly ofCalls: readonly Rule<Call>[];
  readonly ofResults: readonly Rule<Result>[];
}

// Stages report one after the other (clauses order.walk, order.results, order.calls).
const STAGES: readonly Stage[] = [
  { events: (links) => links.observed.walk, ofCalls: [duplicateCall], ofResults: [duplicateResult] },
  { events: (links) => [...links.results.values()].flat(), ofCalls: [], ofResults: [orphan, beforeCall, nameMismatch] },
  { events: (links) => links.calls.values(), ofCalls: [missing], ofResults: [] },
];

/** Every finding of a transcript, shapes and linkage, in the order of the contract. */
export function findings(observed: Observed): Finding[] {
  const links = new Links(observed);
  const found: Finding[] = [];
  const add = (finding: Finding | null): void => {
    if (finding !== null) found.push(finding);
  };
  for (const stage of STAGES) {
    for (const event of stage.events(links)) {
      if (event.kind === "finding") add(event);
      else if (event.kind === "call") for (const rule of stage.ofCalls) add(rule(event, links));
      else for (const rule of stage.ofResults) add(rule(event, links));
    }
  }
  return found;
}

function idOf(call: Call): Path {
  return [call.record, "content", call.block, "id"];
}

function callIdOf(result: Result): Path {
  return [result.record, "toolCallId"];
}

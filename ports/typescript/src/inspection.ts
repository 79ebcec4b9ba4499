/**
 * Looks at every record and block of a transcript, reports what is not of its shape, and notes calls, results and ids.
 *
 * Here belong the clauses `message.*`, `block.*`, `call.*`, `result.*`, `read.*` and `silence.malformed-ids`. Nothing here knows a
 * linkage rule; the rules see only what is observed here.
 */
import { BLOCKS, MESSAGES, type Field, type Shape } from "../../../generated/typescript/shapes.js";
import type { DiagnosticCode, Message, Reason } from "../../../generated/typescript/types.js";
import { Fault, firstFault, frozen } from "./arguments.js";
import { type Finding, shapeFinding } from "./findings.js";
import { UNREADABLE, isBlank, isObject, isUnicode, items, read } from "./values.js";
import type { Path } from "./words.js";

/** A well-formed tool call, and where it stands. */
export interface Call {
  readonly kind: "call";
  readonly id: string;
  readonly name: string;
  readonly record: number;
  readonly block: number;
}

/** A well-formed tool result, and where it stands. */
export interface Result {
  readonly kind: "result";
  readonly id: string;
  readonly name: string;
  readonly record: number;
}

/** What inspection saw in a transcript. */
export interface Observed {
  /** Shape findings, calls and results, in the order of the walk. */
  readonly walk: (Finding | Call | Result)[];
  /** The ids of calls in records or blocks that are themselves reported. */
  readonly malformedCalls: Set<string>;
  /** The ids of results in records or blocks that are themselves reported. */
  readonly malformedResults: Set<string>;
  /** Frozen copies of the well-formed records, where they were asked for. */
  readonly messages: Message[];
}

type Fields = Map<string, unknown>;

/** What is wrong with a record or block that is reported. */
class Refused {
  constructor(readonly problems: readonly Problem[]) {}
}

type Source = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => unknown;

/** One thing that is wrong with a record or block. */
interface Problem {
  readonly path: Path;
  readonly reason: Reason;
  readonly value: unknown;
  readonly code: DiagnosticCode;
}

/** How the members of a union are told apart, what is read of a value that is none of them, and what comes first. */
interface Union {
  readonly tag: string;
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly always: readonly string[];
  /** Finds what ends a record or block before its own fields are judged. */
  readonly header: (fields: Fields) => Problem | null;
}

const problem = (path: Path, reason: Reason, value: unknown, code: DiagnosticCode = "INVALID_MESSAGE"): Problem => ({ path, reason, value, code });

const MESSAGE: Union = {
  tag: "role",
  shapes: MESSAGES,
  always: ["id"],
  header(fields) {
    const role = fields.get("role");
    if (typeof role !== "string") return problem(["role"], "string", role);
    const id = nonBlankString(fields.get("id"));
    if (id instanceof Fault) return problem(["id"], id.reason, id.value);
    return MESSAGES.has(role) ? null : problem(["role"], "role", role);
  },
};

const BLOCK: Union = {
  tag: "type",
  shapes: BLOCKS,
  always: [],
  header(fields) {
    const type = fields.get("type");
    return typeof type === "string" && BLOCKS.has(type) ? null : problem(["type"], "blockType", type);
  },
};

// A check takes a field's value and returns it, or the fault that it has.
const CHECKS: Readonly<Partial<Record<Reason, Check>>> = {
  nonBlankString,
  string: (value) => (typeof value !== "string" ? new Fault("string", [], value) : isUnicode(value) ? value : new Fault("unicode", [], value)),
  boolean: (value) => (typeof value === "boolean" ? value : new Fault("boolean", [], value)),
  array: (value) => items(value) ?? new Fault("array", [], value),
  plainObject: firstFault,
};
const FREEZING: typeof CHECKS = { ...CHECKS, plainObject: frozen };

function nonBlankString(value: unknown): unknown {
  if (typeof value !== "string" || isBlank(value)) return new Fault("nonBlankString", [], value);
  return isUnicode(value) ? value : new Fault("unicode", [], value);
}

/** Runs the check of a reason. */
export function check(reason: Reason, value: unknown): unknown {
  return CHECKS[reason]?.(value);
}

/**
 * Inspects a transcript.
 *
 * @param value anything
 * @param freezing whether to make frozen copies of the well-formed records on the way
 */
export function inspect(value: unknown, freezing = false): Observed {
  const observed: Observed = { walk: [], malformedCalls: new Set(), malformedResults: new Set(), messages: [] };
  const records = items(value);
  if (records === null) {
    observed.walk.push(shapeFinding("INVALID_TRANSCRIPT", [], "array", value));
  } else {
    const inspector = new Inspector(observed, freezing);
    for (let index = 0; index < records.length; index++) inspector.message(records[index], index);
  }
  return observed;
}

class Inspector {
  readonly #observed: Observed;
  readonly #freezing: boolean;
  readonly #checks: typeof CHECKS;

  constructor(observed: Observed, freezing: boolean) {
    this.#observed = observed;
    this.#freezing = freezing;
    this.#checks = freezing ? FREEZING : CHECKS;
  }

  /** Judges one record, and an assistant's blocks. */
  message(record: unknown, index: number): void {
    if (!isObject(record)) {
      this.#report([problem([], "object", record)], index);
      return;
    }
    const fields: Fields = new Map();
    const judged = this.#judge(record, MESSAGE, fields);
    if (judged instanceof Refused) {
      this.#report(judged.problems, index);
      this.#noteMalformed(record, fields, judged === UNREADABLE_WHOLE ? [] : ["toolCallId", "content"]);
      return;
    }
    const role = judged.get("role");
    if (role === "assistant") {
      const blocks = (judged.get("content") as unknown[]).map((block, at) => this.#block(block, index, at));
      if (blocks.includes(null)) return;
      judged.set("content", Object.freeze(blocks));
    } else if (role === "toolResult") {
      const [id, name] = [judged.get("toolCallId") as string, judged.get("toolName") as string];
      this.#observed.walk.push({ kind: "result", id, name, record: index });
    }
    if (this.#freezing) this.#observed.messages.push(this.#made(judged) as unknown as Message);
  }

  /** Judges a block; returns its frozen copy, or true where none was asked for, or null if it is malformed. */
  #block(block: unknown, index: number, at: number): unknown {
    if (!isObject(block)) {
      this.#report([problem([], "object", block)], index, "content", at);
      return null;
    }
    const fields: Fields = new Map();
    const judged = this.#judge(block, BLOCK, fields);
    if (judged instanceof Refused) {
      this.#report(judged.problems, index, "content", at);
      this.#noteMalformed(block, fields, judged === UNREADABLE_WHOLE ? [] : ["id", "toolCallId", "content"]);
      note(this.#observed.malformedCalls, fields.get("id"));
      return null;
    }
    if (judged.get("type") === "toolCall") {
      const [id, name] = [judged.get("id") as string, judged.get("name") as string];
      this.#observed.walk.push({ kind: "call", id, name, record: index, block: at });
    }
    return this.#freezing ? this.#made(judged) : true;
  }

  /** Reads a record's or block's fields into `fields`, all of them and each once, and then judges them. */
  #judge(source: Source, union: Union, fields: Fields): Fields | Refused {
    const tag = read(source, union.tag);
    if (tag === UNREADABLE) return UNREADABLE_WHOLE;
    fields.set(union.tag, tag);
    const shape = typeof tag === "string" ? union.shapes.get(tag) : undefined;
    for (const name of shape === undefined ? union.always : shape.map((field) => field.name)) {
      const value = read(source, name);
      if (value === UNREADABLE) return UNREADABLE_WHOLE;
      fields.set(name, value);
    }
    const header = union.header(fields);
    if (header !== null) return new Refused([header]);
    const values: Fields = new Map([[union.tag, tag]]);
    const problems: Problem[] = [];
    for (const field of shape ?? []) {
      const checked = this.#checks[field.reason]?.(fields.get(field.name));
      if (checked instanceof Fault) problems.push(problem([field.name, ...checked.path], checked.reason, checked.value, codeOf(field, checked)));
      else values.set(field.name, checked);
    }
    return problems.length > 0 ? new Refused(problems) : values;
  }

  #report(problems: readonly Problem[], ...at: Path): void {
    for (const { path, reason, value, code } of problems) this.#observed.walk.push(shapeFinding(code, [...at, ...path], reason, value));
  }

  /** Notes the ids that can still be read from a record or block that is reported; `names` are those to read, where they were not. */
  #noteMalformed(source: Source, fields: Fields, names: readonly string[]): void {
    for (const name of names) {
      if (!fields.has(name)) fields.set(name, read(source, name));
    }
    note(this.#observed.malformedResults, fields.get("toolCallId"));
    for (const child of items(fields.get("content")) ?? []) {
      if (isObject(child)) note(this.#observed.malformedCalls, read(child, "id"));
    }
  }

  #made(fields: Fields): Readonly<Record<string, unknown>> {
    return Object.freeze(Object.fromEntries(fields));
  }
}

const UNREADABLE_WHOLE = new Refused([problem([], "object", UNREADABLE)]);

/** The code of a field's fault; an unpaired surrogate in a name is no empty name (clause `name.unicode`). */
function codeOf(field: Field, fault: Fault): DiagnosticCode {
  return fault.reason === "unicode" && field.reason === "nonBlankString" ? "INVALID_MESSAGE" : field.code;
}

function note(ids: Set<string>, value: unknown): void {
  if (typeof value === "string" && !isBlank(value)) ids.add(value);
}

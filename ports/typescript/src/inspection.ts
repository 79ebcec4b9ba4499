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

/** Any object. */
type Source = Readonly<Record<string, unknown>>;

/** One thing that is wrong with a record or block. */
interface Problem {
  readonly path: Path;
  readonly reason: Reason;
  readonly value: unknown;
  readonly code: DiagnosticCode;
}

function problem(path: Path, reason: Reason, value: unknown, code: DiagnosticCode = "INVALID_MESSAGE"): Problem {
  return { path, reason, value, code };
}

/** How the members of a union are told apart, and what is read and said of a value that is none of them. */
interface Union {
  readonly tag: string;
  readonly shapes: ReadonlyMap<string, Shape>;
  /** The fields with which all shapes begin; their faults come alone, before those of the shape's own. */
  readonly common: Shape;
  /** Why a tag is refused that is no string, and why one that names no shape. */
  readonly notString: Reason;
  readonly unknown: Reason;
}

const MESSAGE: Union = { tag: "role", shapes: MESSAGES, common: [...MESSAGES.values()][0]?.slice(0, 1) ?? [], notString: "string", unknown: "role" };
const BLOCK: Union = { tag: "type", shapes: BLOCKS, common: [], notString: "blockType", unknown: "blockType" };

/** Reads and judges one record or block after the other, each in the place of the one before. */
class Reader {
  readonly #union: Union;
  #source: Source = {};
  #tag: unknown;
  #fields: Shape = [];
  /** The values of the fields, in their order, as far as they were read; behind them are values of earlier records. */
  readonly #values: unknown[] = [];
  #length = 0;

  constructor(union: Union) {
    this.#union = union;
  }

  /** The value of the tag. */
  get tag(): unknown {
    return this.#tag;
  }

  /** The value of a field; undefined where the shape has none of that name, or where it was not read. */
  value(name: string): unknown {
    for (let at = 0; at < this.#length; at++) if (this.#fields[at]?.name === name) return this.#values[at];
    return undefined;
  }

  /** Reads all fields of a record or block, each once, and then judges them: returns what is wrong, in their order, or null. */
  take(source: Source, freezing: boolean): readonly Problem[] | null {
    this.#source = source;
    this.#length = 0;
    try {
      this.#tag = source[this.#union.tag];
      this.#fields = this.#union.shapes.get(this.#tag as string) ?? this.#union.common;
      for (const { name } of this.#fields) {
        this.#values[this.#length] = source[name];
        this.#length++;
      }
    } catch {
      return UNREADABLE_WHOLE;
    }
    return this.#judge(freezing);
  }

  /** Puts copies in the place of arrays on the way, and of arguments if `freezing`. */
  #judge(freezing: boolean): readonly Problem[] | null {
    const { common, tag, notString, unknown } = this.#union;
    if (typeof this.#tag !== "string") return [problem([tag], notString, this.#tag)];
    let problems: Problem[] | null = null;
    for (let at = 0; at < this.#length; at++) {
      const field = this.#fields[at] as Field;
      const checked = check(field.reason, this.#values[at], freezing);
      if (!(checked instanceof Fault)) {
        this.#values[at] = checked;
        continue;
      }
      // What is no array, or cannot be read as one, is not asked again for its ids.
      if (field.reason === "array") this.#values[at] = undefined;
      problems ??= [];
      problems.push(problem([field.name, ...checked.path], checked.reason, checked.value, codeOf(field, checked)));
      // What all shapes begin with comes before what is a shape's own.
      if (at < common.length) return problems;
    }
    return this.#fields === common ? [problem([tag], unknown, this.#tag)] : problems;
  }

  /** Notes the ids that can still be read of what was refused for `problems`; `idName` is the field of its own id, if that is a call's. */
  noteIds(problems: readonly Problem[], observed: Observed, idName?: string): void {
    // After a read that threw, nothing more is read (clause read.order).
    const sought = (name: string): unknown => {
      const isKnown = problems === UNREADABLE_WHOLE || this.#fields.some((field) => field.name === name);
      return isKnown ? this.value(name) : read(this.#source, name);
    };
    note(observed.malformedResults, sought("toolCallId"));
    for (const child of items(sought("content")) ?? []) {
      if (isObject(child)) note(observed.malformedCalls, read(child, "id"));
    }
    if (idName !== undefined) note(observed.malformedCalls, sought(idName));
  }

  /** A frozen record or block of the values that were taken. */
  made(): Readonly<Record<string, unknown>> {
    const made: Record<string, unknown> = { [this.#union.tag]: this.#tag };
    this.#fields.forEach(({ name }, at) => (made[name] = Object.freeze(this.#values[at])));
    return Object.freeze(made);
  }
}

/** What is wrong with a record or block of which a read threw. */
const UNREADABLE_WHOLE: readonly Problem[] = [problem([], "object", UNREADABLE)];

/**
 * Checks a value for what a reason says that it must be.
 *
 * @returns what stands for the value from here on: a copy of an array; of arguments a frozen copy if `freezing`, else null; in all
 *   other cases the value itself; or its fault
 */
export function check(reason: Reason, value: unknown, freezing = false): unknown {
  switch (reason) {
    case "nonBlankString":
      return typeof value === "string" && !isBlank(value) ? unicode(value) : new Fault(reason, [], value);
    case "string":
      return typeof value === "string" ? unicode(value) : new Fault(reason, [], value);
    case "boolean":
      return typeof value === "boolean" ? value : new Fault(reason, [], value);
    case "array":
      return items(value) ?? new Fault(reason, [], value);
    case "plainObject":
      return freezing ? frozen(value) : firstFault(value);
    default:
      throw new TypeError(`no field is checked for ${reason}`);
  }
}

function unicode(text: string): string | Fault {
  return isUnicode(text) ? text : new Fault("unicode", [], text);
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
    for (let index = 0; index < records.length; index++) inspector.record(records[index], index);
  }
  return observed;
}

class Inspector {
  readonly #observed: Observed;
  readonly #freezing: boolean;
  readonly #message = new Reader(MESSAGE);
  readonly #block = new Reader(BLOCK);

  constructor(observed: Observed, freezing: boolean) {
    this.#observed = observed;
    this.#freezing = freezing;
  }

  /** Judges one record, and an assistant's blocks. */
  record(record: unknown, index: number): void {
    if (!isObject(record)) return this.#report([problem([], "object", record)], index);
    const message = this.#message;
    const problems = message.take(record, this.#freezing);
    if (problems !== null) {
      this.#report(problems, index);
      message.noteIds(problems, this.#observed);
      return;
    }
    if (message.tag === "assistant" && !this.#blocks(message.value("content") as unknown[], index)) return;
    if (message.tag === "toolResult") {
      const id = message.value("toolCallId") as string;
      this.#observed.walk.push({ kind: "result", id, name: message.value("toolName") as string, record: index });
    }
    if (this.#freezing) this.#observed.messages.push(message.made() as unknown as Message);
  }

  /** Judges an assistant's blocks, puts frozen copies in their place if asked to, and returns whether all are well-formed. */
  #blocks(blocks: unknown[], index: number): boolean {
    let wellFormed = true;
    for (let at = 0; at < blocks.length; at++) {
      if (!this.#take(blocks[at], index, at)) wellFormed = false;
      else if (this.#freezing) blocks[at] = this.#block.made();
    }
    return wellFormed;
  }

  #take(source: unknown, index: number, at: number): boolean {
    const block = this.#block;
    if (!isObject(source)) {
      this.#report([problem([], "object", source)], index, "content", at);
      return false;
    }
    const problems = block.take(source, this.#freezing);
    if (problems !== null) {
      this.#report(problems, index, "content", at);
      block.noteIds(problems, this.#observed, "id");
      return false;
    }
    if (block.tag === "toolCall") {
      const id = block.value("id") as string;
      this.#observed.walk.push({ kind: "call", id, name: block.value("name") as string, record: index, block: at });
    }
    return true;
  }

  #report(problems: readonly Problem[], ...at: Path): void {
    for (const { path, reason, value, code } of problems) this.#observed.walk.push(shapeFinding(code, [...at, ...path], reason, value));
  }
}

/** The code of a field's fault; an unpaired surrogate in a name is no empty name (clause `name.unicode`). */
function codeOf(field: Field, fault: Fault): DiagnosticCode {
  return fault.reason === "unicode" && field.reason === "nonBlankString" ? "INVALID_MESSAGE" : field.code;
}

function note(ids: Set<string>, value: unknown): void {
  if (typeof value === "string" && !isBlank(value)) ids.add(value);
}

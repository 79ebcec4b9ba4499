/**
 * Walks a tool call's arguments: finds the first value that is not JSON, and copies and freezes them on the way if asked to.
 *
 * Here belongs what may stand in arguments (clauses `arguments.*`); nothing here knows messages or codes. The walk goes no deeper than
 * the contract allows, so that no input can exhaust JavaScript's stack; it reads each object and array once, so that values shared
 * many times over cost no more than their size.
 */
import { argumentsDepth } from "../../../generated/typescript/constants.js";
import type { JsonObject, Reason } from "../../../generated/typescript/types.js";
import { UNREADABLE, isObject, isUnicode, lengthOf } from "./values.js";
import type { Path } from "./words.js";

/** The first value that breaks the contract, and its path from the arguments object. */
export class Fault {
  constructor(
    readonly reason: Reason,
    readonly path: Path,
    readonly value: unknown,
  ) {}

  /** The same fault, as seen from the object or array that has the value under `key`. */
  under(key: string | number): Fault {
    return new Fault(this.reason, [key, ...this.path], this.value);
  }
}

/** An object or array that the walk has met; each knows the one that was met before it. */
interface Container {
  readonly source: object;
  readonly before: Container | null;
  /** How deep it nests, a flat one being 1; 0 as long as the walk is inside of it. */
  height: number;
  /** Its frozen copy once the walk has left it; null where none was asked for. */
  copy: object | null;
  /** The objects and arrays in it, in order; null as long as there are none. */
  inner: [string | number, Container][] | null;
}

/** Returns the first value in document order that breaks the contract, or null. */
export function firstFault(value: unknown): Fault | null {
  const found = walk(value, false);
  return found instanceof Fault ? found : null;
}

/** Returns a copy that is immutable all the way down, or the first value that breaks the contract. */
export function frozen(value: unknown): JsonObject | Fault {
  const found = walk(value, true);
  return found instanceof Fault ? found : (found.copy as JsonObject);
}

function walk(value: unknown, copying: boolean): Container | Fault {
  const found = isObject(value) ? new Walk(copying).enter(value, 0) : null;
  // Arguments must be an object themselves; inside, an array is as good.
  const refused = found === null || (found instanceof Fault && found.reason === "jsonValue" && found.path.length === 0);
  return refused ? new Fault("plainObject", [], value) : found;
}

// Up to so many, comparing them one by one is faster than an index; most arguments have one or two.
const FEW = 16;

/** One walk, depth first and in document order. */
class Walk {
  readonly #copying: boolean;
  #last: Container | null = null;
  #count = 0;
  /** What was met, by its source; null as long as it is few. */
  #index: Map<object, Container> | null = null;

  constructor(copying: boolean) {
    this.#copying = copying;
  }

  /** Goes through an object or array that stands inside of `depth` others. */
  enter(source: object, depth: number): Container | Fault {
    const known = this.#known(source);
    if (known?.height === 0) return new Fault("cycle", [], source);
    if (known !== undefined) return depth + known.height <= argumentsDepth ? known : tooDeep(known, depth);
    const keys = keysOf(source);
    if (typeof keys === "string") return new Fault(keys, [], source);
    if (depth >= argumentsDepth) return new Fault("depth", [], source);
    const container = this.#meet(source);
    const copy: object | null = this.#copying ? (typeof keys === "number" ? [] : {}) : null;
    let height = 1;
    const length = typeof keys === "number" ? keys : keys.length;
    for (let at = 0; at < length; at++) {
      const key = typeof keys === "number" ? at : (keys[at] as string);
      let value: unknown;
      try {
        if (typeof keys === "number" && !Object.hasOwn(source, key)) return new Fault("sparse", [key], undefined);
        value = (source as Readonly<Record<string | number, unknown>>)[key];
      } catch {
        return new Fault("jsonValue", [key], UNREADABLE);
      }
      const reason = judged(value);
      if (reason === null) {
        if (copy !== null) put(copy, key, value);
      } else if (reason !== "jsonValue" || typeof value !== "object") {
        return new Fault(reason, [key], value);
      } else {
        const inner = this.enter(value as object, depth + 1);
        if (inner instanceof Fault) return inner.under(key);
        height = Math.max(height, inner.height + 1);
        (container.inner ??= []).push([key, inner]);
        if (copy !== null) put(copy, key, inner.copy);
      }
    }
    container.height = height;
    container.copy = Object.freeze(copy);
    return container;
  }

  #known(source: object): Container | undefined {
    if (this.#index !== null) return this.#index.get(source);
    for (let each = this.#last; each !== null; each = each.before) if (each.source === source) return each;
    return undefined;
  }

  #meet(source: object): Container {
    const container: Container = { source, before: this.#last, height: 0, copy: null, inner: null };
    this.#last = container;
    if (this.#index !== null) {
      this.#index.set(source, container);
    } else if (++this.#count > FEW) {
      this.#index = new Map();
      for (let each: Container | null = container; each !== null; each = each.before) this.#index.set(each.source, each);
    }
    return container;
  }
}

/** The first value in a container, which stands inside of `depth` others, that is too deep; found without reading it again. */
function tooDeep(container: Container, depth: number): Fault {
  const next = container.inner?.find(([, inner]) => depth + 1 + inner.height > argumentsDepth);
  if (depth >= argumentsDepth || next === undefined) return new Fault("depth", [], container.source);
  return tooDeep(next[1], depth + 1).under(next[0]);
}

/** The keys of an object, or the length of an array; or why it can be neither. */
function keysOf(source: object): readonly string[] | number | Reason {
  try {
    if (Array.isArray(source)) return lengthOf(source) ?? "jsonValue";
    if (!isPlain(source)) return "jsonValue";
    const keys = Object.keys(source);
    for (const key of keys) if (!isUnicode(key)) return "unicode";
    const symbols = Object.getOwnPropertySymbols(source);
    const shown = symbols.length > 0 && symbols.some((symbol) => Object.prototype.propertyIsEnumerable.call(source, symbol));
    return shown ? "plainObject" : keys;
  } catch {
    return "jsonValue";
  }
}

/** Puts a value into a copy; `__proto__` is a key like any other, and so is what a program has added to `Object.prototype`. */
function put(copy: object, key: string | number, value: unknown): void {
  if (key in copy) Object.defineProperty(copy, key, { value, enumerable: true });
  else (copy as Record<string | number, unknown>)[key] = value;
}

/** Whether an object is without a prototype, or has one that has none itself, as the objects of any realm that are made with `{}`. */
function isPlain(source: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(source);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Judges a string, number, boolean or null; anything else is `jsonValue`. */
function judged(value: unknown): Reason | null {
  switch (typeof value) {
    case "string":
      return isUnicode(value) ? null : "unicode";
    case "number":
      return Number.isFinite(value) ? null : "finiteNumber";
    case "boolean":
      return null;
    default:
      return value === null ? null : "jsonValue";
  }
}

/**
 * Walks a tool call's arguments: finds the first value that is not JSON, and copies and freezes them on the way if asked to.
 *
 * Here belongs what may stand in arguments (clauses `arguments.*`); nothing here knows messages or codes. The walk keeps its own
 * stack, so that no input can exhaust JavaScript's; it visits each object and array once, so that values shared many times over
 * cost no more than their size.
 */
import { argumentsDepth } from "../../../generated/typescript/constants.js";
import type { JsonObject, Reason } from "../../../generated/typescript/types.js";
import { isUnicode } from "./values.js";
import type { Path } from "./words.js";

/** The first value that breaks the contract, and its path from the arguments object. */
export class Fault {
  constructor(
    readonly reason: Reason,
    readonly path: Path,
    readonly value: unknown,
  ) {}
}

/** One object or array that the walk is inside of. */
interface Frame {
  readonly source: object;
  /** The keys of an object; null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  readonly copy: Record<string, unknown> | unknown[] | null;
  next: number;
  height: number;
}

/** An object or array that was walked and found well-formed. */
interface Done {
  readonly height: number;
  readonly copy: unknown;
}

/** Returns the first value in document order that breaks the contract, or null. */
export function firstFault(value: unknown): Fault | null {
  const found = walk(value, false);
  return found instanceof Fault ? found : null;
}

/** Returns a copy that is immutable all the way down, or the first value that breaks the contract. */
export function frozen(value: unknown): JsonObject | Fault {
  return walk(value, true) as JsonObject | Fault;
}

function walk(root: unknown, copying: boolean): unknown {
  const stack: Frame[] = [];
  const inside = new Set<object>();
  const done = new Map<object, Done>();
  const fault = (reason: Reason, value: unknown, ...last: Path): Fault => new Fault(reason, [...stack.map(keyOf), ...last], value);

  const enter = (value: unknown): Fault | null => {
    if (typeof value === "object" && value !== null && inside.has(value)) return fault("cycle", value);
    const frame = opened(value, copying);
    if (typeof frame === "string") return fault(frame, value);
    if (stack.length >= argumentsDepth) return fault("depth", value);
    stack.push(frame);
    inside.add(frame.source);
    return null;
  };

  if (!isPlainObject(root)) return new Fault("plainObject", [], root);
  let found = enter(root);
  for (;;) {
    if (found !== null) return found;
    const frame = stack[stack.length - 1] as Frame;
    if (frame.next >= frame.length) {
      stack.pop();
      inside.delete(frame.source);
      if (copying) Object.freeze(frame.copy);
      done.set(frame.source, { height: frame.height, copy: frame.copy });
      const outer = stack[stack.length - 1];
      if (outer === undefined) return frame.copy;
      settle(outer, frame.copy, frame.height);
      continue;
    }
    const position = frame.next++;
    const key = frame.keys === null ? position : (frame.keys[position] as string);
    if (frame.keys === null && !Object.hasOwn(frame.source, key)) return fault("sparse", undefined);
    let value: unknown;
    try {
      value = (frame.source as Record<string | number, unknown>)[key];
    } catch {
      return fault("jsonValue", undefined);
    }
    const reason = judged(value);
    if (reason === null) {
      put(frame, value);
    } else if (reason !== "jsonValue") {
      return fault(reason, value);
    } else {
      const known = typeof value === "object" && value !== null ? done.get(value) : undefined;
      if (known !== undefined && stack.length + known.height <= argumentsDepth) settle(frame, known.copy, known.height);
      else found = enter(value);
    }
  }
}

function keyOf(frame: Frame): string | number {
  const position = frame.next - 1;
  return frame.keys === null ? position : (frame.keys[position] as string);
}

function settle(frame: Frame, copy: unknown, height: number): void {
  frame.height = Math.max(frame.height, height + 1);
  put(frame, copy);
}

/** Puts a value where the frame's walk stands; an own `__proto__` is a key like any other. */
function put(frame: Frame, value: unknown): void {
  if (frame.copy === null) return;
  if (Array.isArray(frame.copy)) frame.copy.push(value);
  else Object.defineProperty(frame.copy, keyOf(frame), { value, enumerable: true, writable: true, configurable: true });
}

/** Opens an object or array, or says why it cannot be: its keys are judged before its values. */
function opened(value: unknown, copying: boolean): Frame | Reason {
  try {
    if (Array.isArray(value)) {
      return { source: value, keys: null, length: value.length, copy: copying ? [] : null, next: 0, height: 1 };
    }
    if (!isPlainObject(value)) return "jsonValue";
    const keys = Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
    for (const key of keys) {
      if (typeof key !== "string") return "plainObject";
      if (!isUnicode(key)) return "unicode";
    }
    return { source: value, keys: keys as string[], length: keys.length, copy: copying ? {} : null, next: 0, height: 1 };
  } catch {
    return "jsonValue";
  }
}

/** Whether a value is an object of `{}`, of any realm, or without a prototype; no array, and no instance of a class. */
function isPlainObject(value: unknown): value is object {
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
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

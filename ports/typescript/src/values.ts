/**
 * Reads values of which nothing is known. Nothing of the caller's is called but a property read.
 *
 * Here belongs how JavaScript spells the contract's arrays, objects and strings; nothing here knows a message, a rule or a code.
 */
import { blankCharacters } from "../../../generated/typescript/constants.js";

/** Stands for a property or an item whose read threw. */
export const UNREADABLE: unique symbol = Symbol("unreadable");

const onlyBlank = new RegExp(`^[${blankCharacters}]*$`, "u");

/** Whether a string is empty or has blank characters only. */
export function isBlank(text: string): boolean {
  // Nearly every text starts with a character that is plainly not blank.
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && onlyBlank.test(text);
}

/** Whether a string is free of unpaired surrogates. */
export function isUnicode(text: string): boolean {
  return text.isWellFormed();
}

/** Whether a value is an array; a revoked proxy is none. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value is an object whose properties can be asked for: neither an array nor a function. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !isArray(value);
}

/** Reads one property; what the read throws is `UNREADABLE`. */
export function read(object: Readonly<Record<string, unknown>>, name: string): unknown {
  try {
    return object[name];
  } catch {
    return UNREADABLE;
  }
}

/** The length of an array; null for one that no array has, since a proxy may say anything. @throws what reading it throws */
export function lengthOf(array: readonly unknown[]): number | null {
  const length: unknown = array.length;
  return typeof length === "number" && Number.isInteger(length) && length >= 0 && length < 2 ** 32 ? length : null;
}

// An array with more values that are absent than this holds nothing that anyone could mean; looking at all of a sparse array,
// which may have four billion places, would take all memory there is.
const MANY_ABSENT = 2 ** 16;

/** The items of an array by their positions, each read once; null for what is no array, has no length, or is all but empty. */
export function items(value: unknown): unknown[] | null {
  if (!isArray(value)) return null;
  let length: number | null;
  try {
    length = lengthOf(value);
  } catch {
    return null;
  }
  if (length === null) return null;
  const copied = new Array<unknown>(Math.min(length, MANY_ABSENT));
  let absent = 0;
  for (let index = 0; index < length; index++) {
    let item: unknown;
    try {
      item = value[index];
    } catch {
      item = UNREADABLE;
    }
    if (item === undefined && ++absent > MANY_ABSENT) return null;
    copied[index] = item;
  }
  return copied;
}

/** Says what kind of value it is, in JSON's words where JSON has one; completes “it is …”. */
export function kindName(value: unknown): string {
  if (value === null) return "null";
  if (isArray(value)) return "an array";
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "number":
      return "a number";
    case "string":
      return "a string";
    case "object":
      return "an object";
    default:
      return typeName(value);
  }
}

/** Says of which type of JavaScript's a value is. */
export function typeName(value: unknown): string {
  return `a value of type ${typeof value}`;
}

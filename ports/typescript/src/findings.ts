/** A finding is one cause as inspection and linkage see it; here it is put into words and becomes a diagnostic. */
import { must, prose } from "../../../generated/typescript/prose.js";
import type { Diagnostic, DiagnosticCode, Reason } from "../../../generated/typescript/types.js";
import { UNREADABLE, isArray, isObject, kindName, typeName } from "./values.js";
import { type Path, place, pointer, quote } from "./words.js";

/** One cause, before it is put into words. */
export interface Finding {
  readonly kind: "finding";
  readonly code: DiagnosticCode;
  readonly path: Path;
  readonly related: readonly Path[];
  /** What the value fails to be, for a shape. */
  readonly reason?: Reason;
  /** What the prose tells of it, ready to be shown. */
  readonly facts: Readonly<Record<string, string>>;
  /** Which of the code's templates words it. */
  readonly variant: string;
}

/** The finding of a shape: a value that fails to be what it must. */
export function shapeFinding(code: DiagnosticCode, path: Path, reason: Reason, value: unknown): Finding {
  return { kind: "finding", code, path, related: [], reason, facts: { found: found(reason, value) }, variant: "default" };
}

/** The finding of a linkage rule. */
export function linkageFinding(code: DiagnosticCode, path: Path, related: readonly Path[], facts: Readonly<Record<string, string>>): Finding {
  return { kind: "finding", code, path, related, facts, variant: "default" };
}

/** Puts a finding into words. */
export function diagnostic(finding: Finding): Diagnostic {
  const { phase, templates } = prose[finding.code];
  // Linkage is told of records and blocks, not of their fields.
  const shown = (path: Path): string => place("transcript", phase === "linkage" ? path.slice(0, -1) : path);
  const words: Readonly<Record<string, string>> = {
    ...finding.facts,
    place: shown(finding.path),
    other: shown(finding.related[0] ?? finding.path),
    must: finding.reason === undefined ? "" : must[finding.reason],
  };
  const index = finding.path[0];
  return Object.freeze({
    code: finding.code,
    messageIndex: typeof index === "number" ? index : -1,
    path: pointer(finding.path),
    related: Object.freeze(finding.related.map(pointer)),
    message: (templates[finding.variant] ?? "").replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole),
  });
}

/** Says what a value is instead of what it must be; completes “but it …”. */
export function found(reason: Reason, value: unknown): string {
  if (reason === "sparse") return "is one";
  if (value === undefined) return "is absent";
  if (value === UNREADABLE) return "raised an error when it was read";
  switch (reason) {
    case "nonBlankString":
      if (typeof value === "string") return value === "" ? "is empty" : "is blank";
      break;
    case "role":
    case "blockType":
      if (typeof value === "string") return `is ${quote(value)}`;
      break;
    case "unicode":
      return typeof value === "string" ? "has one" : "has a key with one";
    case "plainObject":
      if (isObject(value)) return "is an object of a class, or has a key that is not a string";
      break;
    case "jsonValue":
      if (isArray(value)) return "is an array that cannot be read";
      return `is ${isObject(value) ? "an object of a class" : typeName(value)}`;
    case "finiteNumber":
      return Number.isNaN(value) ? "is NaN" : "is out of range";
    case "cycle":
      return "does";
    case "depth":
      return "goes deeper";
    default:
  }
  return `is ${kindName(value)}`;
}

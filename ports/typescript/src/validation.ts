/** The validator, for any value and for JSON text; and parsing, which is strict about both. */
import type { Diagnostic, Message } from "../../../generated/typescript/types.js";
import { InvalidTranscriptError } from "./errors.js";
import { type Finding, diagnostic, shapeFinding } from "./findings.js";
import { inspect } from "./inspection.js";
import { findings } from "./linkage.js";
import { UNREADABLE, isUnicode } from "./values.js";

/**
 * Reports every cause for which a transcript would be refused, each once, in the order of the contract.
 *
 * Takes anything, never throws, and changes nothing in its input. Returns frozen diagnostics; none for a valid transcript.
 */
export function validateTranscript(value: unknown): readonly Diagnostic[] {
  try {
    return worded(findings(inspect(value)));
  } catch {
    // No memory or no stack left.
    return worded([shapeFinding("INVALID_TRANSCRIPT", [], "array", UNREADABLE)]);
  }
}

/** Does what `validateTranscript` does, for a transcript in JSON text: a string, or bytes in UTF-8. Never throws. */
export function validateJson(text: unknown): readonly Diagnostic[] {
  const parsed = parsedJson(text);
  return "problem" in parsed ? worded([notJson(parsed.problem)]) : validateTranscript(parsed.value);
}

/**
 * Makes frozen messages of a transcript in JSON text.
 *
 * @throws {InvalidTranscriptError} where the validator reports anything
 */
export function parse(text: string | Uint8Array): readonly Message[] {
  const parsed = parsedJson(text);
  if ("problem" in parsed) throw new InvalidTranscriptError(worded([notJson(parsed.problem)]));
  const observed = inspect(parsed.value, true);
  const diagnostics = worded(findings(observed));
  if (diagnostics.length > 0) throw new InvalidTranscriptError(diagnostics);
  return Object.freeze(observed.messages);
}

function worded(found: readonly Finding[]): readonly Diagnostic[] {
  return Object.freeze(found.map(diagnostic));
}

function notJson(problem: string): Finding {
  return { kind: "finding", code: "INVALID_TRANSCRIPT", path: [], related: [], facts: { problem }, variant: "text" };
}

function parsedJson(text: unknown): { readonly value: unknown } | { readonly problem: string } {
  try {
    // Decoded bytes hold no unpaired surrogate; a string may.
    if (typeof text === "string" && !isUnicode(text)) return { problem: "it holds an unpaired surrogate" };
    const source = typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text as Uint8Array);
    return { value: JSON.parse(source) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "it cannot be parsed" };
  }
}

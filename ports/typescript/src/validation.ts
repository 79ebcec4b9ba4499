/** The validator, for any value and for JSON text; and parsing, which is strict about both. */
import type { Diagnostic, Message } from "../../../generated/typescript/types.js";
import { InvalidTranscriptError } from "./errors.js";
import { type Finding, diagnostic, shapeFinding } from "./findings.js";
import { inspect } from "./inspection.js";
import { findings } from "./linkage.js";
import { UNREADABLE, isUnicode } from "./values.js";
import { shortened } from "./words.js";

// So many characters of a parser's message are told.
const MESSAGE = 160;

// Made beforehand: where it is needed, there is no stack or no memory left to make it.
const EXHAUSTED: readonly Diagnostic[] = /* @__PURE__ */ worded([shapeFinding("INVALID_TRANSCRIPT", [], "array", UNREADABLE)]);

/**
 * Reports every cause for which a transcript would be refused, each once, in the order of the contract.
 *
 * Takes anything, never throws, and changes nothing in its input. Returns frozen diagnostics; none for a valid transcript.
 */
export function validateTranscript(value: unknown): readonly Diagnostic[] {
  try {
    return worded(findings(inspect(value)));
  } catch {
    return EXHAUSTED;
  }
}

/** Does what `validateTranscript` does, for a transcript in JSON text: a string, or bytes in UTF-8. Never throws. */
export function validateJson(text: unknown): readonly Diagnostic[] {
  try {
    const parsed = parsedJson(text);
    return "problem" in parsed ? worded([notJson(parsed.problem)]) : validateTranscript(parsed.value);
  } catch {
    return EXHAUSTED;
  }
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
    if (typeof text === "string") {
      // Decoded bytes hold no unpaired surrogate; a string may.
      return isUnicode(text) ? { value: JSON.parse(text) as unknown } : { problem: "it holds an unpaired surrogate" };
    }
    if (!isBytes(text)) return { problem: "it is neither a string nor bytes" };
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text)) as unknown };
  } catch (error) {
    // The parser quotes the text in its message.
    return { problem: error instanceof Error ? shortened(error.message, MESSAGE) : "it cannot be parsed" };
  }
}

function isBytes(value: unknown): value is AllowSharedBufferSource {
  if (ArrayBuffer.isView(value)) return true;
  const kind = Object.prototype.toString.call(value);
  return kind === "[object ArrayBuffer]" || kind === "[object SharedArrayBuffer]";
}

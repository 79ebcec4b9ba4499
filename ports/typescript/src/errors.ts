/** The errors that are thrown on purpose. */
import { must } from "../../../generated/typescript/prose.js";
import type { Diagnostic, Reason } from "../../../generated/typescript/types.js";

/** A message that cannot be made of what was given. */
export class ConstructionError extends TypeError {
  override readonly name = "ConstructionError";
  /** The constructor that was called. */
  readonly function: string;

  constructor(
    function_: string,
    /** The JSON Pointer of the place, from the constructor's input. */
    readonly pointer: string,
    /** What the value there fails to be. */
    readonly reason: Reason,
    place: string,
    found: string,
  ) {
    super(`${function_}: ${place} must ${must[reason]}, but it ${found}`);
    this.function = function_;
  }
}

// So many diagnostics are told in an error's message; `diagnostics` has all.
const SHOWN = 20;

/** A transcript that breaks the contract; its diagnostics say how. */
export class InvalidTranscriptError extends Error {
  override readonly name = "InvalidTranscriptError";

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    const shown = diagnostics.slice(0, SHOWN).map((each) => `${each.code} at ${each.path || "the root"}: ${each.message}`);
    if (diagnostics.length > SHOWN) shown.push(`and ${diagnostics.length - SHOWN} more`);
    super(shown.join("\n"));
  }
}

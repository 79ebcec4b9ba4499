// Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
import type { DiagnosticCode, Reason } from "./types.js";

/** How the diagnostics of one code are worded. */
export interface Prose {
  readonly phase: "transcript" | "shape" | "linkage";
  /** The templates of its message, by variant. */
  readonly templates: Readonly<Record<string, string>>;
}

/** How the diagnostics are worded, by code. */
export const prose: Readonly<Record<DiagnosticCode, Prose>> = {
  INVALID_TRANSCRIPT: { phase: "transcript", templates: {"default": "The transcript must be an array of messages, but it {found}.", "text": "The text is not JSON: {problem}."} },
  INVALID_MESSAGE: { phase: "shape", templates: {"default": "{place} must {must}, but it {found}."} },
  EMPTY_TOOL_NAME: { phase: "shape", templates: {"default": "{place} must {must}, but it {found}: a tool call and its result say which tool they are of."} },
  INVALID_TOOL_ARGUMENTS: { phase: "shape", templates: {"default": "{place} must {must}, but it {found}."} },
  DUPLICATE_TOOL_CALL_ID: { phase: "linkage", templates: {"default": "Tool call id {id} at {place} is taken: the call at {other} has it first."} },
  DUPLICATE_TOOL_RESULT: { phase: "linkage", templates: {"default": "Tool call {id} is answered again at {place}: {other} answers it first."} },
  ORPHAN_TOOL_RESULT: { phase: "linkage", templates: {"default": "The result at {place} answers tool call {id}, which no assistant message makes."} },
  TOOL_RESULT_BEFORE_CALL: { phase: "linkage", templates: {"default": "The result at {place} answers tool call {id} before it is made, at {other}."} },
  TOOL_NAME_MISMATCH: { phase: "linkage", templates: {"default": "The result at {place} is of tool {name}, but the call {id} that it answers is of {callName}."} },
  MISSING_TOOL_RESULT: { phase: "linkage", templates: {"default": "Tool call {id} at {place} has no result after it."} },
};

/** What a value must do or be; completes “… must”. */
export const must: Readonly<Record<Reason, string>> = {
  nonBlankString: "be a non-blank string",
  string: "be a string",
  array: "be an array",
  object: "be an object that can be read",
  boolean: "be true or false",
  blockType: "be text or toolCall",
  plainObject: "be a plain object with string keys",
  jsonValue: "be a JSON value",
  finiteNumber: "be a number that is finite as binary64",
  unicode: "be valid Unicode, without unpaired surrogates",
  cycle: "not contain itself",
  depth: "nest at most 100 deep",
  sparse: "have no holes",
  role: "be user, assistant or toolResult",
};

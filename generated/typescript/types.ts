// Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.

/** The messages of one conversation, in order. */
export type Transcript = readonly Message[];

/** One record of a transcript, told apart by its role. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** What the user said. */
export interface UserMessage {
  readonly role: "user";
  readonly id: string;
  readonly content: string;
}

/** What the model said: text and tool calls, in order. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly id: string;
  readonly content: AssistantContent;
}

/** What a tool answered to one call. */
export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly id: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string;
  readonly isError: boolean;
}

/** An assistant's blocks, in order; may be empty. */
export type AssistantContent = readonly AssistantBlock[];

/** One block of an assistant's content, told apart by its type. */
export type AssistantBlock = TextBlock | ToolCall;

/** A piece of the assistant's prose. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** A request to run one tool; its id is what the result answers to. */
export interface ToolCall {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A JSON value whose numbers are finite as binary64. */
export type JsonValue = null | boolean | string | number | JsonArray | JsonObject;

/** An array of JSON values. */
export type JsonArray = readonly JsonValue[];

/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** What the validator answers: one entry a cause, in the order of the contract; empty for a valid transcript. */
export type Diagnostics = readonly Diagnostic[];

/** One cause for which a transcript is refused. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** The record's position in the transcript; -1 for the transcript as a whole. */
  readonly messageIndex: number;
  /** The JSON Pointer (RFC 6901) of the offending value, from the transcript's root. */
  readonly path: string;
  /** The JSON Pointers of its counterparts. */
  readonly related: readonly string[];
  /** Prose for people; it may change between versions. */
  readonly message: string;
}

/** The stable name of a kind of cause. */
export type DiagnosticCode = "INVALID_TRANSCRIPT" | "INVALID_MESSAGE" | "EMPTY_TOOL_NAME" | "INVALID_TOOL_ARGUMENTS" | "DUPLICATE_TOOL_CALL_ID" | "DUPLICATE_TOOL_RESULT" | "ORPHAN_TOOL_RESULT" | "TOOL_RESULT_BEFORE_CALL" | "TOOL_NAME_MISMATCH" | "MISSING_TOOL_RESULT";
/** The stable name of a kind of cause. */
export const DiagnosticCode = /* @__PURE__ */ Object.freeze({
  INVALID_TRANSCRIPT: "INVALID_TRANSCRIPT",
  INVALID_MESSAGE: "INVALID_MESSAGE",
  EMPTY_TOOL_NAME: "EMPTY_TOOL_NAME",
  INVALID_TOOL_ARGUMENTS: "INVALID_TOOL_ARGUMENTS",
  DUPLICATE_TOOL_CALL_ID: "DUPLICATE_TOOL_CALL_ID",
  DUPLICATE_TOOL_RESULT: "DUPLICATE_TOOL_RESULT",
  ORPHAN_TOOL_RESULT: "ORPHAN_TOOL_RESULT",
  TOOL_RESULT_BEFORE_CALL: "TOOL_RESULT_BEFORE_CALL",
  TOOL_NAME_MISMATCH: "TOOL_NAME_MISMATCH",
  MISSING_TOOL_RESULT: "MISSING_TOOL_RESULT",
} as const);

/** The stable name of what a value fails to be. */
export type Reason = "nonBlankString" | "string" | "array" | "object" | "boolean" | "blockType" | "plainObject" | "jsonValue" | "finiteNumber" | "unicode" | "cycle" | "depth" | "sparse" | "role";
/** The stable name of what a value fails to be. */
export const Reason = /* @__PURE__ */ Object.freeze({
  nonBlankString: "nonBlankString",
  string: "string",
  array: "array",
  object: "object",
  boolean: "boolean",
  blockType: "blockType",
  plainObject: "plainObject",
  jsonValue: "jsonValue",
  finiteNumber: "finiteNumber",
  unicode: "unicode",
  cycle: "cycle",
  depth: "depth",
  sparse: "sparse",
  role: "role",
} as const);

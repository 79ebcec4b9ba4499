// Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
import type { DiagnosticCode, Reason } from "./types.js";

/** One field of a message or block: its name, what a value of the wrong type is refused for, and the code of its faults. */
export interface Field {
  readonly name: string;
  readonly reason: Reason;
  readonly code: DiagnosticCode;
}

/** The fields of one message or block type but the tag, in the order in which they are judged. */
export type Shape = readonly Field[];

export const MESSAGES: ReadonlyMap<string, Shape> = /* @__PURE__ */ new Map<string, Shape>([
  ["user", [
    { name: "id", reason: "nonBlankString", code: "INVALID_MESSAGE" },
    { name: "content", reason: "string", code: "INVALID_MESSAGE" },
  ]],
  ["assistant", [
    { name: "id", reason: "nonBlankString", code: "INVALID_MESSAGE" },
    { name: "content", reason: "array", code: "INVALID_MESSAGE" },
  ]],
  ["toolResult", [
    { name: "id", reason: "nonBlankString", code: "INVALID_MESSAGE" },
    { name: "toolCallId", reason: "nonBlankString", code: "INVALID_MESSAGE" },
    { name: "toolName", reason: "nonBlankString", code: "EMPTY_TOOL_NAME" },
    { name: "content", reason: "string", code: "INVALID_MESSAGE" },
    { name: "isError", reason: "boolean", code: "INVALID_MESSAGE" },
  ]],
]);

export const BLOCKS: ReadonlyMap<string, Shape> = /* @__PURE__ */ new Map<string, Shape>([
  ["text", [
    { name: "text", reason: "string", code: "INVALID_MESSAGE" },
  ]],
  ["toolCall", [
    { name: "id", reason: "nonBlankString", code: "INVALID_MESSAGE" },
    { name: "name", reason: "nonBlankString", code: "EMPTY_TOOL_NAME" },
    { name: "arguments", reason: "plainObject", code: "INVALID_TOOL_ARGUMENTS" },
  ]],
]);

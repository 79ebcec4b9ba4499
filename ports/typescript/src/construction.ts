/** The constructors: messages made from the caller's values, copied, frozen, and right from the start. */
import { BLOCKS } from "../../../generated/typescript/shapes.js";
import type { AssistantBlock, AssistantMessage, Reason, ToolResultMessage, UserMessage } from "../../../generated/typescript/types.js";
import { Fault } from "./arguments.js";
import { ConstructionError } from "./errors.js";
import { type Finding, found } from "./findings.js";
import { check, inspect } from "./inspection.js";
import { UNREADABLE, isObject, read } from "./values.js";
import { type Path, place, pointer } from "./words.js";

/** Makes a user message. @throws {ConstructionError} */
export function userMessage(fields: Pick<UserMessage, "id" | "content">): UserMessage {
  return made("userMessage", "user", ["id", "content"], fields) as UserMessage;
}

/** Makes an assistant message. @throws {ConstructionError} */
export function assistantMessage(fields: { readonly id: string; readonly content: readonly AssistantBlock[] }): AssistantMessage {
  return made("assistantMessage", "assistant", ["id", "content"], fields) as AssistantMessage;
}

/** Makes the message that answers one tool call. @throws {ConstructionError} */
export function toolResultMessage(fields: Omit<ToolResultMessage, "role">): ToolResultMessage {
  return made("toolResultMessage", "toolResult", ["id", "toolCallId", "toolName", "content", "isError"], fields) as ToolResultMessage;
}

/** Joins the text blocks of an assistant message, in order; tool calls are not rendered, and not looked into. @throws {ConstructionError} */
export function textFromAssistant(message: AssistantMessage): string {
  const function_ = "textFromAssistant";
  const property = (value: unknown, name: string, path: Path): unknown => {
    if (!isObject(value)) return refuse(function_, "object", path, value);
    const answer = read(value, name);
    return answer === UNREADABLE ? refuse(function_, "object", path, UNREADABLE) : answer;
  };
  const content = property(message, "content", []);
  const blocks = check("array", content);
  if (blocks instanceof Fault) return refuse(function_, "array", ["content"], content);
  const texts = (blocks as unknown[]).map((block, index) => {
    const path: Path = ["content", index];
    const type = property(block, "type", path);
    if (typeof type !== "string" || !BLOCKS.has(type)) return refuse(function_, "blockType", [...path, "type"], type);
    if (type !== "text") return "";
    const text = check("string", property(block, "text", path));
    return text instanceof Fault ? refuse(function_, text.reason, [...path, "text"], text.value) : (text as string);
  });
  return texts.join("");
}

function made(function_: string, role: string, names: readonly string[], fields: unknown): unknown {
  if (!isObject(fields)) return refuse(function_, "object", [], fields);
  const record: Record<string, unknown> = { role };
  for (const name of names) {
    const value = read(fields, name);
    if (value === UNREADABLE) return refuse(function_, "object", [], UNREADABLE);
    record[name] = value;
  }
  const observed = inspect([record], true);
  const finding = observed.walk.find((event): event is Finding => event.kind === "finding");
  if (finding === undefined) return observed.messages[0];
  const path = finding.path.slice(1);
  throw new ConstructionError(function_, pointer(path), finding.reason as Reason, place("message", path), finding.facts["found"] ?? "");
}

function refuse(function_: string, reason: Reason, path: Path, value: unknown): never {
  throw new ConstructionError(function_, pointer(path), reason, place("message", path), found(reason, value));
}

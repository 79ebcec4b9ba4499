/** The types, tested as types: this file is compiled and never run. */
import type { AssistantBlock, DiagnosticCode, JsonValue, Message, ToolCall, Transcript, UserMessage } from "../src/index.js";

declare function accept<Type>(value: Type): void;
declare const message: Message;
declare const call: ToolCall;
declare const transcript: Transcript;

accept<Message>({ role: "user", id: "m", content: "" });
accept<AssistantBlock>({ type: "text", text: "" });
accept<JsonValue>({ a: [1, null, { b: true }] });

// @ts-expect-error a role decides the fields
accept<Message>({ role: "user", id: "m", content: [] });
// @ts-expect-error isError must be there
accept<Message>({ role: "toolResult", id: "m", toolCallId: "c", toolName: "t", content: "" });
// @ts-expect-error no other block is known
accept<AssistantBlock>({ type: "image" });
// @ts-expect-error undefined is no JSON
accept<JsonValue>({ a: undefined });
// @ts-expect-error nor is a function
accept<JsonValue>(() => 1);
// @ts-expect-error codes are a closed set
accept<DiagnosticCode>("SOMETHING_ELSE");

// @ts-expect-error messages are read-only
message.id = "other";
// @ts-expect-error so are arrays of them
transcript.push(message);
// @ts-expect-error and arguments, all the way down
call.arguments["a"] = 1;

/** Every role is told apart, and nothing is left over. */
export function summary(each: Message): string {
  switch (each.role) {
    case "user":
      return each.content;
    case "assistant":
      return each.content.map((block) => (block.type === "text" ? block.text : block.name)).join("");
    case "toolResult":
      return each.toolName;
    default:
      return each satisfies never;
  }
}

accept<UserMessage["role"]>("user");

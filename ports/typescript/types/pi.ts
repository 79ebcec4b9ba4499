/**
 * Pi's messages held against ours, as types: where they agree, and where they differ. This file is compiled and never run.
 *
 * Pi's sessions are the nearest thing to this contract that is in wide use. A change of Pi's that moves one of these lines is one that
 * readers of its sessions must know of.
 */
import type * as Pi from "@earendil-works/pi-ai";

import type { AssistantBlock, AssistantMessage, JsonObject, Message, TextBlock, ToolCall, ToolResultMessage, UserMessage } from "../src/index.js";

declare function accept<Type>(value: Type): void;
declare const pi: {
  readonly text: Pi.TextContent;
  readonly thinking: Pi.ThinkingContent;
  readonly call: Pi.ToolCall;
  readonly user: Pi.UserMessage;
  readonly assistant: Pi.AssistantMessage;
  readonly result: Pi.ToolResultMessage;
};
declare const ours: { readonly text: TextBlock; readonly call: ToolCall; readonly user: UserMessage; readonly assistant: AssistantMessage; readonly result: ToolResultMessage };

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

// They agree on the roles, and on how text and tool calls look.
accept<Same<Message["role"], Pi.Message["role"]>>(true);
accept<TextBlock>(pi.text);
accept<Pi.TextContent>(ours.text);
accept<ToolCall>(pi.call);
accept<Pi.ToolCall>(ours.call);
accept<JsonObject>(pi.call.arguments);

// They agree on what a result says of its call.
accept<Pick<ToolResultMessage, "role" | "toolCallId" | "toolName" | "isError">>(pi.result);
accept<Pick<Pi.ToolResultMessage, "role" | "toolCallId" | "toolName" | "isError">>(ours.result);

// @ts-expect-error Pi's messages have no id: an entry of its session has it, around the message
accept<Pick<Message, "id">>(pi.user);
// @ts-expect-error and all of them say when
accept<Pick<Pi.Message, "timestamp">>(ours.user);

// @ts-expect-error Pi's user may say text or blocks, images among them; ours says text
accept<UserMessage["content"]>(pi.user.content);
accept<Pi.UserMessage["content"]>(ours.user.content);

// @ts-expect-error Pi's results are blocks, images among them; ours are text
accept<ToolResultMessage["content"]>(pi.result.content);
// @ts-expect-error so no text is one
accept<Pi.ToolResultMessage["content"]>(ours.result.content);

// @ts-expect-error Pi's assistants also think; our contract has no such block
accept<AssistantBlock>(pi.thinking);
// @ts-expect-error so their content is not ours
accept<AssistantMessage["content"]>(pi.assistant.content);
// @ts-expect-error Pi says of every answer which model gave it, what it cost and why it ended
accept<Pick<Pi.AssistantMessage, "model" | "usage" | "stopReason">>(ours.assistant);
// @ts-expect-error Pi's arrays may be changed, ours may not
accept<Pi.AssistantMessage["content"]>(ours.assistant.content);
accept<Pi.AssistantMessage["content"]>([...ours.assistant.content]);

/** What a message of Pi's becomes here; the compiler holds this to be all that there is to it. */
export function fromPi(id: string, message: Pi.Message): Message {
  const text = (content: string | readonly (Pi.TextContent | Pi.ImageContent)[]): string =>
    typeof content === "string" ? content : content.map((block) => (block.type === "text" ? block.text : "")).join("");
  switch (message.role) {
    case "user":
      return { role: "user", id, content: text(message.content) };
    case "assistant":
      return { role: "assistant", id, content: message.content.filter((block) => block.type !== "thinking") };
    case "toolResult":
      return { role: "toolResult", id, toolCallId: message.toolCallId, toolName: message.toolName, content: text(message.content), isError: message.isError };
  }
}

// Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
import type { DiagnosticCode, Reason } from "./types.js";

/** The reference entry of one code. */
export interface Entry {
  readonly phase: "transcript" | "shape" | "linkage";
  readonly summary: string;
  readonly why: string;
  readonly mend: string;
  /** The templates of its message, by variant. */
  readonly prose: Readonly<Record<string, string>>;
}

/** What each code means, why it matters, how to mend it, and how its prose is worded. */
export const catalogue: Readonly<Record<DiagnosticCode, Entry>> = {
  INVALID_TRANSCRIPT: {
    phase: "transcript",
    summary: "The input is not a transcript at all.",
    why: "A transcript is an array of messages. An envelope around it, one message alone, or text that is not JSON has no records to look at, so a program that goes on regardless sends an empty or a random history.",
    mend: "Pass the array itself: take it out of its envelope, wrap a single message in brackets, parse the text first. For JSON text, go to the place in the message. A file or a line that was cut off ends in the middle of a value: bring back its end, or remove it.",
    prose: {"default": "The transcript must be an array of messages, but it {found}.", "text": "The text is not JSON: {problem}."},
  },
  INVALID_MESSAGE: {
    phase: "shape",
    summary: "A record, a block or one of its fields is not of the shape that the contract says.",
    why: "A field that is missing or of another type is read differently by every program that meets it: one crashes, one sends an empty message, one drops the record and breaks the tool round that it belonged to.",
    mend: "Mend the field that the path names, where the record is written rather than where it is sent. If the record came from another system, convert it at the boundary: system prompts, images and provider blocks have no place in this IR.",
    prose: {"default": "{place} must {must}, but it {found}."},
  },
  EMPTY_TOOL_NAME: {
    phase: "shape",
    summary: "A tool call or a tool result does not say which tool it is of.",
    why: "A model that emits a call without a name usually failed in the middle of it. Stored as it is, the call is replayed with every request, answered with an error, and replayed again.",
    mend: "Give the call and its result the name of the tool that ran. If none ran, remove the call, and its result with it.",
    prose: {"default": "{place} must {must}, but it {found}: a tool call and its result say which tool they are of."},
  },
  INVALID_TOOL_ARGUMENTS: {
    phase: "shape",
    summary: "A tool call's arguments are not a JSON object that survives JSON text.",
    why: "Arguments go back to the model as JSON with every request. Text that was never parsed, NaN, a date, a live object or a cycle is refused there, changed silently, or lost.",
    mend: "Parse arguments that came as JSON text, and keep the parsed object. Replace values that JSON does not know before the call is stored: a date by its text, NaN by null. Where the model's text was cut off, the call never ran: remove it, and its result with it.",
    prose: {"default": "{place} must {must}, but it {found}."},
  },
  DUPLICATE_TOOL_CALL_ID: {
    phase: "linkage",
    summary: "Two tool calls carry the same id.",
    why: "A result names its call by id alone. When two calls share one, nobody can say which of them a result answers, and most APIs refuse the request. Some models restart their ids every turn, and some servers send one constant id.",
    mend: "Give the later call, and the result that answers it, an id of its own. Where a model restarts its ids, make them unique when the turn is stored, by a prefix for each turn.",
    prose: {"default": "Tool call id {id} at {place} is taken: the call at {other} has it first."},
  },
  DUPLICATE_TOOL_RESULT: {
    phase: "linkage",
    summary: "One tool call is answered twice.",
    why: "A retry stores a result a second time, or a repair adds a made-up result although the real one comes later. APIs take one result a call and refuse the rest.",
    mend: "Keep the result that the tool really gave, and remove the other.",
    prose: {"default": "Tool call {id} is answered again at {place}: {other} answers it first."},
  },
  ORPHAN_TOOL_RESULT: {
    phase: "linkage",
    summary: "A tool result answers a call that is not in the transcript.",
    why: "A compaction or a window cut off the assistant message and kept its results, or the id was trimmed, shortened or rewritten on one side only.",
    mend: "Bring back the assistant message with the call, or remove the result. When history is cut, cut between tool rounds, never inside one. When ids are rewritten, rewrite them on both sides.",
    prose: {"default": "The result at {place} answers tool call {id}, which no assistant message makes."},
  },
  TOOL_RESULT_BEFORE_CALL: {
    phase: "linkage",
    summary: "A tool result stands before the call that it answers.",
    why: "Records were merged or sorted by the wrong key, or a compaction moved them. The sets of ids look complete, so a check that only counts them finds nothing.",
    mend: "Move the result behind the assistant message that makes the call.",
    prose: {"default": "The result at {place} answers tool call {id} before it is made, at {other}."},
  },
  TOOL_NAME_MISMATCH: {
    phase: "linkage",
    summary: "A tool result names another tool than the call that it answers.",
    why: "A tool was renamed, wrapped or prefixed on one side only, or an id that came back was paired with another tool's result. The model then reads one tool's answer as another's; some APIs refuse it without saying why.",
    mend: "Write the name of the call into the result, exactly, white space included. If another tool really ran, the id is wrong: pair the result with its own call.",
    prose: {"default": "The result at {place} is of tool {name}, but the call {id} that it answers is of {callName}."},
  },
  MISSING_TOOL_RESULT: {
    phase: "linkage",
    summary: "A tool call has no result after it.",
    why: "A crash, an abort or a compaction lost the result. Every API demands one for each call, so from then on each request with this transcript is refused.",
    mend: "Append the result if the tool ran; if it did not, append one with isError true that says so. Or remove the call. A turn that is still running is not ready to be sent.",
    prose: {"default": "Tool call {id} at {place} has no result after it."},
  },
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

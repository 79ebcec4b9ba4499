// Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
import type { DiagnosticCode } from "./types.js";

/** The reference entry of one code, for people. */
export interface CatalogueEntry {
  /** What it reports. */
  readonly summary: string;
  /** Why it matters. */
  readonly why: string;
  /** How it is mended. */
  readonly mend: string;
}

/** What each code means, why it matters, and how it is mended. */
export const catalogue: Readonly<Record<DiagnosticCode, CatalogueEntry>> = {
  INVALID_TRANSCRIPT: {
    summary: "The input is not a transcript at all.",
    why: "A transcript is an array of messages. An envelope around it, one message alone, or text that is not JSON has no records to look at, so a program that goes on regardless sends an empty or a random history.",
    mend: "Pass the array itself: take it out of its envelope, wrap a single message in brackets, parse the text first. For JSON text, go to the place in the message. A file or a line that was cut off ends in the middle of a value: bring back its end, or remove it.",
  },
  INVALID_MESSAGE: {
    summary: "A record, a block or one of its fields is not of the shape that the contract says.",
    why: "A field that is missing or of another type is read differently by every program that meets it: one crashes, one sends an empty message, one drops the record and breaks the tool round that it belonged to.",
    mend: "Mend the field that the path names, where the record is written rather than where it is sent. If the record came from another system, convert it at the boundary: system prompts, images and provider blocks have no place in this IR.",
  },
  EMPTY_TOOL_NAME: {
    summary: "A tool call or a tool result does not say which tool it is of.",
    why: "A model that emits a call without a name usually failed in the middle of it. Stored as it is, the call is replayed with every request, answered with an error, and replayed again.",
    mend: "Give the call and its result the name of the tool that ran. If none ran, remove the call, and its result with it.",
  },
  INVALID_TOOL_ARGUMENTS: {
    summary: "A tool call's arguments are not a JSON object that survives JSON text.",
    why: "Arguments go back to the model as JSON with every request. Text that was never parsed, NaN, a date, a live object or a cycle is refused there, changed silently, or lost.",
    mend: "Parse arguments that came as JSON text, and keep the parsed object. Replace values that JSON does not know before the call is stored: a date by its text, NaN by null. Where the model's text was cut off, the call never ran: remove it, and its result with it.",
  },
  DUPLICATE_TOOL_CALL_ID: {
    summary: "Two tool calls carry the same id.",
    why: "A result names its call by id alone. When two calls share one, nobody can say which of them a result answers, and most APIs refuse the request. Some models restart their ids every turn, and some servers send one constant id.",
    mend: "Give the later call, and the result that answers it, an id of its own. Where a model restarts its ids, make them unique when the turn is stored, by a prefix for each turn.",
  },
  DUPLICATE_TOOL_RESULT: {
    summary: "One tool call is answered twice.",
    why: "A retry stores a result a second time, or a repair adds a made-up result although the real one comes later. APIs take one result a call and refuse the rest.",
    mend: "Keep the result that the tool really gave, and remove the other.",
  },
  ORPHAN_TOOL_RESULT: {
    summary: "A tool result answers a call that is not in the transcript.",
    why: "A compaction or a window cut off the assistant message and kept its results, or the id was trimmed, shortened or rewritten on one side only.",
    mend: "Bring back the assistant message with the call, or remove the result. When history is cut, cut between tool rounds, never inside one. When ids are rewritten, rewrite them on both sides.",
  },
  TOOL_RESULT_BEFORE_CALL: {
    summary: "A tool result stands before the call that it answers.",
    why: "Records were merged or sorted by the wrong key, or a compaction moved them. The sets of ids look complete, so a check that only counts them finds nothing.",
    mend: "Move the result behind the assistant message that makes the call.",
  },
  TOOL_NAME_MISMATCH: {
    summary: "A tool result names another tool than the call that it answers.",
    why: "A tool was renamed, wrapped or prefixed on one side only, or an id that came back was paired with another tool's result. The model then reads one tool's answer as another's; some APIs refuse it without saying why.",
    mend: "Write the name of the call into the result, exactly, white space included. If another tool really ran, the id is wrong: pair the result with its own call.",
  },
  MISSING_TOOL_RESULT: {
    summary: "A tool call has no result after it.",
    why: "A crash, an abort or a compaction lost the result. Every API demands one for each call, so from then on each request with this transcript is refused.",
    mend: "Append the result if the tool ran; if it did not, append one with isError true that says so. Or remove the call. A turn that is still running is not ready to be sent.",
  },
};

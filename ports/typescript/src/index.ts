/** The shared contract for agent transcripts: types, constructors, and a validator that never throws. */
export type {
  AssistantBlock,
  AssistantContent,
  AssistantMessage,
  Diagnostic,
  JsonArray,
  JsonObject,
  JsonValue,
  Message,
  TextBlock,
  ToolCall,
  ToolResultMessage,
  Transcript,
  UserMessage,
} from "../../../generated/typescript/types.js";
export { DiagnosticCode, Reason } from "../../../generated/typescript/types.js";
export { type CatalogueEntry, catalogue } from "../../../generated/typescript/catalogue.js";
export { version } from "../../../generated/typescript/constants.js";
export { assistantMessage, textFromAssistant, toolResultMessage, userMessage } from "./construction.js";
export { ConstructionError, InvalidTranscriptError } from "./errors.js";
export { parse, validateJson, validateTranscript } from "./validation.js";

// What a project of its own does with the packed package.
import assert from "node:assert/strict";

import { assistantMessage, parse, toolResultMessage, userMessage, validateJson, validateTranscript } from "message-ir";

const transcript = [
  userMessage({ id: "m1", content: "Read package.json." }),
  assistantMessage({ id: "m2", content: [{ type: "toolCall", id: "call-1", name: "read", arguments: { path: "package.json" } }] }),
  toolResultMessage({ id: "m3", toolCallId: "call-1", toolName: "read_file", content: "{}", isError: false }),
];
const [diagnostic, ...rest] = validateTranscript(transcript);
assert.equal(rest.length, 0);
assert.equal(diagnostic.code, "TOOL_NAME_MISMATCH");
assert.equal(diagnostic.path, "/2/toolName");
assert.equal(
  diagnostic.message,
  'The result at transcript[2] is of tool "read_file", but the call "call-1" that it answers is of "read".',
);
assert.deepEqual(validateJson("[]"), []);
assert.deepEqual(parse(JSON.stringify(transcript.slice(0, 1))), transcript.slice(0, 1));
console.log("the packed package works");

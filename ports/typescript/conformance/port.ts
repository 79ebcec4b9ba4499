/** Speaks the conformance protocol for this implementation: a request a line on standard input, an answer a line on output. */
import { createInterface } from "node:readline";

import {
  ConstructionError,
  type Diagnostic,
  InvalidTranscriptError,
  assistantMessage,
  parse,
  textFromAssistant,
  toolResultMessage,
  userMessage,
  validateJson,
  validateTranscript,
  version,
} from "../src/index.js";
import { HOSTS, Undelivered, build } from "./hosts.js";

interface Mutation {
  readonly path: string;
  readonly value: unknown;
}

interface Request {
  readonly command: "start" | "run" | "stop";
  readonly handle: string;
  readonly operation: string;
  readonly input: unknown;
  readonly function?: string;
  readonly mutations?: readonly Mutation[];
}

// The inputs are whatever the corpus says, which is the point.
const CONSTRUCTORS = { userMessage, assistantMessage, toolResultMessage } as unknown as Readonly<Record<string, (fields: unknown) => object>>;

const OPERATIONS: Readonly<Record<string, (request: Request) => object>> = {
  validate: ({ input }) => reported(validateTranscript(build(input))),
  validateText({ input }) {
    const given = input as { readonly text?: unknown; readonly base64?: string };
    return reported(validateJson(given.base64 === undefined ? build(given.text) : Buffer.from(given.base64, "base64")));
  },
  construct: (request) => ({ message: constructed(request, build(request.input)) }),
  text: ({ input }) => ({ text: textFromAssistant(build(input) as Parameters<typeof textFromAssistant>[0]) }),
  roundTrip({ input }) {
    const transcript = build(input);
    const diagnostics = validateTranscript(transcript);
    return diagnostics.length > 0 ? reported(diagnostics) : { messages: parse(JSON.stringify(transcript)) };
  },
  snapshot(request) {
    const input = build(request.input);
    const message = constructed(request, input);
    for (const mutation of request.mutations ?? []) write(input, mutation);
    return { message };
  },
  freeze(request) {
    const message = constructed(request, build(request.input));
    return { written: (request.mutations ?? []).filter((mutation) => write(message, mutation)).map(({ path }) => path) };
  },
};

function constructed(request: Request, fields: unknown): object {
  const construct = CONSTRUCTORS[request.function ?? ""];
  if (construct === undefined) throw new Error(`there is no constructor ${request.function}`);
  return construct(fields);
}

function reported(diagnostics: readonly Diagnostic[]): object {
  return { diagnostics };
}

/** Writes a value at a JSON Pointer; whether the write took. */
function write(root: unknown, { path, value }: Mutation): boolean {
  const steps = path.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop() ?? "";
  let parent = root as Record<string, unknown>;
  for (const step of steps) parent = parent[step] as Record<string, unknown>;
  const before = JSON.stringify(root);
  try {
    parent[last] = value;
  } catch {
    return false;
  }
  return JSON.stringify(root) !== before;
}

function answered(request: Request): object {
  try {
    const operation = OPERATIONS[request.operation];
    if (operation === undefined) throw new Error(`there is no operation ${request.operation}`);
    return { result: operation(request) };
  } catch (error) {
    if (error instanceof ConstructionError) return { result: { error: { pointer: error.pointer, reason: error.reason } } };
    if (error instanceof InvalidTranscriptError) return { result: reported(error.diagnostics) };
    if (error instanceof Undelivered) return { undelivered: error.message };
    return { errored: String(error) };
  }
}

const say = (message: object): boolean => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.command === "stop") break;
  if (request.command === "start") {
    const who = { name: "message-ir", version, language: "TypeScript", contract: version };
    say({ ...who, operations: Object.keys(OPERATIONS), hosts: Object.keys(HOSTS), paths: true });
  } else {
    say({ handle: request.handle, ...answered(request) });
  }
}

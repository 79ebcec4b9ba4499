/** JavaScript's own hazards: nothing of the caller's is called but a property read, and each once; nothing throws. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { ConstructionError, type Diagnostic, InvalidTranscriptError, assistantMessage, parse, userMessage, validateJson, validateTranscript } from "../src/index.js";

const result = { id: "r", role: "toolResult", toolCallId: "c", toolName: "read", content: "", isError: false };
const called = (args: unknown): unknown[] => [{ id: "a", role: "assistant", content: [{ type: "toolCall", id: "c", name: "read", arguments: args }] }, result];
const shown = (diagnostics: readonly Diagnostic[]): string[] => diagnostics.map(({ code, path }) => `${code} ${path}`);
const BAD = "INVALID_TOOL_ARGUMENTS /0/content/0/arguments";

/** An object that counts how often each property is read, and throws whatever else is done with it. */
function counting(values: Record<string, unknown>, reads: Map<string, number>): object {
  const refuse = (): never => {
    throw new Error("only reads are allowed");
  };
  return new Proxy(values, {
    get(target, key) {
      reads.set(String(key), (reads.get(String(key)) ?? 0) + 1);
      return target[String(key)];
    },
    has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse, set: refuse, defineProperty: refuse, deleteProperty: refuse, preventExtensions: refuse,
  });
}

/** An array that says something else of one property. */
function saying(property: string, said: unknown): unknown[] {
  return new Proxy<unknown[]>([], { get: (target, key) => (key === property ? said : Reflect.get(target, key)) });
}

test("each property is read once, and nothing else is done", () => {
  const reads = new Map<string, number>();
  const block = counting({ type: "toolCall", id: "c", name: "read", arguments: {} }, reads);
  const transcript = [counting({ id: "a", role: "assistant", content: [block] }, reads), counting(result, reads)];
  assert.deepEqual(validateTranscript(transcript), []);
  // Three objects have an id, two a role and a content.
  assert.deepEqual(Object.fromEntries(reads), { role: 2, id: 3, content: 2, type: 1, name: 1, arguments: 1, toolCallId: 1, toolName: 1, isError: 1 });
});

test("of what is reported, each property is read once too, and its ids count as seen", () => {
  const reads = new Map<string, number>();
  const malformed = [
    counting({ id: "a", role: "assistant", content: null }, reads),
    counting({ id: "b", role: "robot", content: [counting({ type: "toolCall", id: "c" }, reads)] }, reads),
    counting({ ...result, content: 1 }, reads),
  ];
  assert.deepEqual(shown(validateTranscript([...malformed, { ...result, id: "s" }])), ["INVALID_MESSAGE /0/content", "INVALID_MESSAGE /1/role", "INVALID_MESSAGE /2/content"]);
  // The ids of three records and one block; a robot's result would say which call it answers, and so would an assistant's.
  assert.deepEqual(Object.fromEntries(reads), { role: 3, id: 4, content: 3, toolCallId: 3, toolName: 1, isError: 1 });
});

test("arguments are read once, whether they are few or many, and shared or not", () => {
  for (const count of [1, 5, 40]) {
    const reads = new Map<string, number>();
    const listed = Array.from({ length: count }, (_, at) => ({ get [`g${at}`](): number { return reads.set(`g${at}`, (reads.get(`g${at}`) ?? 0) + 1).size; } }));
    assert.deepEqual(validateTranscript(called({ listed, again: listed, last: [listed[0], listed.at(-1)] })), []);
    assert.deepEqual([...reads.values()], Array(count).fill(1));
  }
});

test("a cycle is found however much was met before it", () => {
  for (const count of [0, 1, 40]) {
    const args: Record<string, unknown> = { listed: Array.from({ length: count }, () => ({})) };
    args["inner"] = { outer: args };
    assert.deepEqual(shown(validateTranscript(called(args))), [`${BAD}/inner/outer`]);
  }
});

test("a value that validates while it is read disturbs nothing", () => {
  const inner: unknown[] = [];
  const busy = { ...result, get content(): string { inner.push(...validateTranscript([{ role: "user", id: "" }])); return ""; } };
  assert.deepEqual(shown(validateTranscript([busy])), ["ORPHAN_TOOL_RESULT /0/toolCallId"]);
  assert.equal(inner.length, 1);
});

test("what is no JSON is reported in arguments at its place", () => {
  class Point {}
  const cases: [unknown, string][] = [
    [{ n: 1n }, `${BAD}/n`],
    [{ s: Symbol("x") }, `${BAD}/s`],
    [{ [Symbol("x")]: 1 }, BAD],
    [{ p: new Point() }, `${BAD}/p`],
    [{ m: new Map() }, `${BAD}/m`],
    [{ d: new Date(0) }, `${BAD}/d`],
    [{ f: () => 1 }, `${BAD}/f`],
    [{ u: undefined }, `${BAD}/u`],
    [{ z: [1, , 2] }, `${BAD}/z/1`], // eslint-disable-line no-sparse-arrays
    [{ w: new String("x") }, `${BAD}/w`],
    [{ w: new Number(1) }, `${BAD}/w`],
    [{ l: saying("length", "cycle") }, `${BAD}/l`],
    [{ l: saying("length", 2 ** 40) }, `${BAD}/l`],
    [{ l: new Proxy([1], { getOwnPropertyDescriptor: () => { throw new Error("no"); } }) }, `${BAD}/l/0`],
    [{ o: new Proxy({}, { getPrototypeOf: () => { throw new Error("no"); } }) }, `${BAD}/o`],
    [new Proxy({}, { ownKeys: () => { throw new Error("no"); } }), BAD],
    [{ get g(): number { throw new Error("no"); } }, `${BAD}/g`],
  ];
  for (const [args, expected] of cases) assert.deepEqual(shown(validateTranscript(called(args))), [expected]);
});

test("objects of another realm, without prototype, frozen, and with toJSON are plain", () => {
  const toJSON = (): never => {
    throw new Error("not to be called");
  };
  for (const args of [runInNewContext("({ a: [1, { b: null }] })"), Object.assign(Object.create(null), { a: 1 }), Object.freeze({ a: Object.freeze([1]) })]) {
    assert.deepEqual(validateTranscript(called(args)), []);
  }
  assert.deepEqual(shown(validateTranscript(called({ toJSON }))), [`${BAD}/toJSON`]);
  assert.deepEqual(validateTranscript(runInNewContext("[]")), []);
});

test("arrays are read by their positions, and lengths that lie do not hang", () => {
  for (const length of [2 ** 40, -1, 0.5, "1", null, Number.NaN]) assert.deepEqual(shown(validateTranscript(saying("length", length))), ["INVALID_TRANSCRIPT "]);
  const throwing = new Proxy([], { get: () => { throw new Error("no"); } });
  assert.deepEqual(shown(validateTranscript(throwing)), ["INVALID_TRANSCRIPT "]);
  const array = Object.assign([result], { [Symbol.iterator]: () => { throw new Error("no"); }, map: null, forEach: null });
  assert.deepEqual(shown(validateTranscript(array)), ["ORPHAN_TOOL_RESULT /0/toolCallId"]);
});

test("wrappers are no strings, and nothing of theirs is called", () => {
  const text = Object.assign(new String("u"), { toString: () => { throw new Error("not to be called"); } });
  assert.deepEqual(shown(validateTranscript([{ role: "user", id: text, content: "" }, { role: text, id: "u", content: "" }])), ["INVALID_MESSAGE /0/id", "INVALID_MESSAGE /1/role"]);
});

test("input stays as it is", () => {
  const transcript = called({ a: [1, { b: null }], b: "\ud800" });
  const before = structuredClone(transcript);
  assert.equal(validateTranscript(transcript).length, 1);
  assert.deepEqual(transcript, before);
  const freeze = (value: unknown): void => {
    if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  };
  freeze(transcript);
  assert.equal(validateTranscript(transcript).length, 1);
});

test("nothing throws, whatever it is given", () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  for (const value of [proxy, undefined, null, 1n, Symbol("x"), () => 1, [proxy], [{ role: "assistant", id: "a", content: proxy }], called(proxy)]) {
    assert.ok(validateTranscript(value).length > 0);
    assert.ok(validateJson(value).length > 0);
  }
  let deep: unknown = [];
  for (let level = 0; level < 100_000; level++) deep = [deep];
  assert.equal(validateTranscript(called({ deep })).length, 1);
});

test("where the stack is used up it still answers", () => {
  const input = called({ a: [[[[[[[[[]]]]]]]]] });
  const reports = new Array<readonly Diagnostic[] | null>(200).fill(null);
  let tried = 0;
  let failures = 0;
  const exhaust = (): void => {
    try {
      exhaust();
    } catch {
      // Every frame tries, from the deepest on, where not even a call can be made.
    }
    if (tried === reports.length) return;
    try {
      reports[tried] = validateTranscript(input);
      tried++;
    } catch {
      failures++;
    }
  };
  exhaust();
  assert.ok(failures < 5, `it threw ${failures} times`);
  const [first, last] = [reports[0], reports.at(-1)];
  assert.equal(first?.[0]?.code, "INVALID_TRANSCRIPT");
  assert.ok(Object.isFrozen(first));
  assert.deepEqual(last, []);
});

test("arrays of nothing are refused, and do not take all memory", () => {
  for (const length of [2 ** 17, 2 ** 32 - 1]) {
    const empty = new Array(length);
    assert.deepEqual(shown(validateTranscript(empty)), ["INVALID_TRANSCRIPT "]);
    assert.deepEqual(shown(validateTranscript([{ role: "assistant", id: "a", content: empty }])), ["INVALID_MESSAGE /0/content"]);
    assert.deepEqual(shown(validateTranscript([{ role: "robot", id: "a", content: empty }])), ["INVALID_MESSAGE /0/role"]);
    assert.deepEqual(shown(validateTranscript(saying("length", length))), ["INVALID_TRANSCRIPT "]);
  }
  assert.deepEqual(shown(validateTranscript([, result])), ["INVALID_MESSAGE /0", "ORPHAN_TOOL_RESULT /1/toolCallId"]); // eslint-disable-line no-sparse-arrays
});

test("what a program does to Object.prototype changes no copy", () => {
  const code = `
    import assert from "node:assert/strict";
    import { parse } from ${JSON.stringify(new URL("../src/index.js", import.meta.url).href)};
    Object.defineProperty(Object.prototype, "zz", { set() {}, get: () => 7, configurable: true });
    Object.freeze(Object.prototype);
    const text = '[{"role":"assistant","id":"a","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"zz":5,"toString":1,"__proto__":2}}]},'
      + '{"role":"toolResult","id":"r","toolCallId":"c","toolName":"n","content":"","isError":false}]';
    assert.equal(JSON.stringify(parse(text)[0].content[0].arguments), '{"zz":5,"toString":1,"__proto__":2}');
  `;
  execFileSync(process.execPath, ["--input-type=module", "--eval", code], { stdio: ["ignore", "inherit", "inherit"] });
});

test("what is met again deeper down is judged without being read again", () => {
  let reads = 0;
  const shared = { plain: [], get g(): unknown { return reads++ === 0 ? [[]] : 1; } };
  const nested = (levels: number, value: unknown): unknown => (levels === 0 ? value : nested(levels - 1, [value]));
  const deepest = "/0".repeat(97);
  for (const [levels, path] of [[96, null], [97, `${BAD}/again${deepest}/g/0`]] as const) {
    reads = 0;
    const report = validateTranscript(called({ shared, again: nested(levels, shared) }));
    assert.deepEqual(shown(report), path === null ? [] : [path]);
    assert.equal(reads, 1);
  }
});

test("the length of what is no array is read once", () => {
  let reads = 0;
  const content = new Proxy<unknown[]>([{ id: "c" }], { get: (target, key) => (key === "length" && reads++ === 0 ? -1 : Reflect.get(target, key)) });
  assert.deepEqual(shown(validateTranscript([{ role: "assistant", id: "a", content }, result])), ["INVALID_MESSAGE /0/content", "ORPHAN_TOOL_RESULT /1/toolCallId"]);
  assert.equal(reads, 1);
});

test("messages about text that is not JSON are harmless, and say what was given", () => {
  for (const text of ["\u001b[31mred", '{"a":\u202e}', `[${" ".repeat(20)}x${"😀".repeat(300)}`, "x".repeat(10_000)]) {
    const message = validateJson(text)[0]?.message ?? "";
    assert.match(message, /^The text is not JSON: [\P{C}]+\.$/u);
    assert.ok(message.isWellFormed() && message.length < 500);
  }
  for (const value of [undefined, null, 5, {}, []]) assert.equal(validateJson(value)[0]?.message, "The text is not JSON: it is neither a string nor bytes.");
  const bytes = new TextEncoder().encode("[]");
  for (const value of [bytes, bytes.buffer, new DataView(bytes.buffer)]) assert.deepEqual(validateJson(value), []);
});

test("an error tells some of many diagnostics, and holds all", () => {
  const text = JSON.stringify(Array.from({ length: 50 }, () => 3));
  assert.throws(() => parse(text), (error: unknown) => error instanceof InvalidTranscriptError && error.diagnostics.length === 50 && error.message.endsWith("\nand 30 more"));
});

test("prose says what is wrong in arguments", () => {
  const said = (args: unknown): string | undefined => validateTranscript(called(args))[0]?.message;
  assert.match(said({ get g(): number { throw new Error("no"); } }) ?? "", /but it raised an error when it was read\.$/);
  assert.match(said({ z: [1, , 2] }) ?? "", /must have no holes, but it is one\.$/); // eslint-disable-line no-sparse-arrays
  assert.match(said({ l: saying("length", -1) }) ?? "", /but it is an array that cannot be read\.$/);
});

test("constructed messages are frozen all the way down, and nothing the caller does shows", () => {
  const args = { list: [{ a: 1 }], ["__proto__"]: 2 };
  const message = assistantMessage({ id: "a", content: [{ type: "toolCall", id: "c", name: "read", arguments: args }] });
  args.list.push({ a: 2 });
  const everything: unknown[] = [message];
  for (const value of everything) {
    if (typeof value !== "object" || value === null) continue;
    assert.ok(Object.isFrozen(value));
    everything.push(...Object.values(value));
  }
  assert.equal(JSON.stringify(message.content[0]), '{"type":"toolCall","id":"c","name":"read","arguments":{"list":[{"a":1}],"__proto__":2}}');
});

test("errors say where and why", () => {
  const bad = { id: "", content: "" };
  assert.throws(() => userMessage(bad), (error: unknown) => {
    assert.ok(error instanceof ConstructionError);
    assert.deepEqual([error.function, error.pointer, error.reason], ["userMessage", "/id", "nonBlankString"]);
    assert.equal(error.message, "userMessage: message.id must be a non-blank string, but it is empty");
    return true;
  });
  assert.throws(() => parse("[3]"), InvalidTranscriptError);
  assert.throws(() => parse("{"), InvalidTranscriptError);
});

/** Transcripts to measure with: as a coding agent writes them, the same in every run. */
import type { AssistantBlock, JsonObject, Message, ToolCall } from "../src/index.js";

/** A linear congruential generator, so that every run has the same. */
export class Random {
  #state = 20_261_202;
  #drawn = 0;

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (this.#state >>> 8) % limit;
  }

  /** An id that no other draw gives. */
  id(prefix: string): string {
    return `${prefix}_${this.#drawn++}_${this.below(0x7fffff).toString(36)}`;
  }

  /** Prose or code of a length that is mostly short and at times long; one in 16 holds characters beyond Latin-1. */
  text(typical: number): string {
    const length = this.below(8) === 0 ? typical * 4 : this.below(typical) + 8;
    const line = LINES[this.below(LINES.length)] as string;
    return (this.below(16) === 0 ? "“Grüße” → ✓ " : "") + line.repeat(Math.ceil(length / line.length)).slice(0, length);
  }
}

const LINES = [
  "Read the file first, then say what is wrong with it. ",
  '  if (value === null) return "null";\n',
  "-rw-r--r-- 1 user user  4096 src/index.ts\n",
  "def test_it(tmp_path):\n    assert tmp_path.exists()\n",
];

// The tools of a coding agent: two thirds of the calls have one to three plain arguments, the rest have lists and objects.
const TOOLS: readonly (readonly [string, (random: Random) => JsonObject])[] = [
  ["read", (random) => ({ path: `src/module_${random.below(1000)}.ts`, offset: random.below(500), limit: 200 })],
  ["bash", (random) => ({ command: `grep -rn ${JSON.stringify(random.text(40))} src`, timeout: 30 })],
  ["read", (random) => ({ path: `test/test_${random.below(1000)}.py` })],
  ["write", (random) => ({ path: `src/new_${random.below(1000)}.ts`, content: random.text(900) })],
  ["edit", (random) => ({ path: "src/index.ts", edits: [{ oldText: random.text(200), newText: random.text(300) }, { oldText: "a", newText: "b" }] })],
  ["search", (random) => ({ query: random.text(30), filter: { globs: ["*.ts", "*.py"], caseSensitive: false, before: null }, top: 12.5 })],
];

/**
 * Makes transcripts with about as much text as a coding agent's session has: on average some 170 characters of prose, 300 of
 * arguments and 500 of a result, and of each a few that are four times as long.
 *
 * @param count how many transcripts
 * @param length how many messages each has, at least; a round of a call and its result is never cut
 * @param random where ids and texts come from; transcripts from one share no ids
 */
export function transcripts(count: number, length: number, random = new Random()): Message[][] {
  return Array.from({ length: count }, () => transcript(random, length));
}

function transcript(random: Random, length: number): Message[] {
  const messages: Message[] = [];
  const id = (): string => random.id("message");
  while (messages.length < length) {
    messages.push({ role: "user", id: id(), content: random.text(180) });
    for (let round = random.below(6); round >= 0 && messages.length < length; round--) {
      const calls = Array.from({ length: random.below(8) === 0 ? 2 : 1 }, () => call(random));
      const prose: AssistantBlock[] = random.below(2) === 0 ? [{ type: "text", text: random.text(150) }] : [];
      messages.push({ role: "assistant", id: id(), content: [...prose, ...calls] });
      for (const { id: toolCallId, name: toolName } of calls) {
        messages.push({ role: "toolResult", id: id(), toolCallId, toolName, content: random.text(550), isError: random.below(10) === 0 });
      }
    }
    messages.push({ role: "assistant", id: id(), content: [{ type: "text", text: random.text(200) }] });
  }
  return messages;
}

function call(random: Random): ToolCall {
  const [name, args] = TOOLS[random.below(TOOLS.length)] as (typeof TOOLS)[number];
  return { type: "toolCall", id: random.id("call"), name, arguments: args(random) };
}

/**
 * Measures validating beside `JSON.parse` of the same text, in one run, and prints one table; `--json FILE` writes it as JSON too.
 *
 * Each round times every step once, so that all of them meet the same machine; a figure is the median of the rounds. What is
 * validated was parsed right before, as in a program that reads transcripts.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { type Message, validateJson, validateTranscript } from "../src/index.js";
import { Random, transcripts } from "./workload.js";

/** What is measured: so many transcripts of so many messages, each in so many texts (V8 limits the length of one). */
interface Size {
  readonly name: string;
  readonly count: number;
  readonly length: number;
  readonly texts: number;
  readonly rounds: number;
}

const SIZES: readonly Size[] = [
  { name: "1,000 of 30 messages", count: 1_000, length: 30, texts: 1, rounds: 41 },
  { name: "one of 10,000", count: 1, length: 10_000, texts: 1, rounds: 51 },
  { name: "one of 50,000", count: 1, length: 50_000, texts: 1, rounds: 31 },
  { name: "one of 1,000,000", count: 1, length: 1_000_000, texts: 20, rounds: 5 },
];

// Before rounds are counted, so many of them pass in which the engine compiles what is hot.
const WARM_UP = 0.25;

/** What one size gave. */
interface Figures {
  readonly transcripts: string;
  readonly messages: number;
  readonly megabytes: number;
  /** In nanoseconds a message. */
  readonly parse: number;
  readonly validate: number;
  /** Ratios to `JSON.parse` of the same text. */
  readonly validateToParse: number;
  readonly parseAndValidateToParse: number;
  readonly validateJsonToParse: number;
}

function measure({ name, count, length, texts, rounds }: Size): Figures {
  const random = new Random();
  const made = Array.from({ length: count }, () => transcripts(texts, length / texts, random).map((part) => JSON.stringify(part)));
  const [parse, validate, both, json] = times(rounds, [
    () => elapsed(() => made.forEach(parsed)),
    () => made.reduce((sum, parts) => sum + validating(parsed(parts)), 0),
    () => elapsed(() => made.forEach((parts) => expectClean(validateTranscript(parsed(parts))))),
    () => elapsed(() => made.flat().forEach((text) => expectClean(validateJson(text)))),
  ]) as [number[], number[], number[], number[]];
  const messages = made.reduce((sum, parts) => sum + parsed(parts).length, 0);
  const ratio = (step: readonly number[]): number => median(step.map((time, round) => time / (parse[round] as number)));
  return {
    transcripts: name,
    messages,
    megabytes: made.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6,
    parse: (median(parse) * 1e6) / messages,
    validate: (median(validate) * 1e6) / messages,
    validateToParse: ratio(validate),
    parseAndValidateToParse: ratio(both),
    validateJsonToParse: ratio(json),
  };
}

/** What each step says that it took, in milliseconds, by round; rounds that warm up are left out. */
function times(rounds: number, steps: readonly (() => number)[]): number[][] {
  const all = steps.map((): number[] => []);
  for (let round = -Math.ceil(rounds * WARM_UP); round < rounds; round++) {
    steps.forEach((step, at) => {
      const time = step();
      if (round >= 0) all[at]?.push(time);
    });
  }
  return all;
}

function elapsed(step: () => void): number {
  const start = performance.now();
  step();
  return performance.now() - start;
}

function validating(transcript: readonly Message[]): number {
  return elapsed(() => expectClean(validateTranscript(transcript)));
}

function parsed(parts: readonly string[]): readonly Message[] {
  return parts.length === 1 ? (JSON.parse(parts[0] as string) as Message[]) : parts.flatMap((text) => JSON.parse(text) as Message[]);
}

function expectClean(report: readonly unknown[]): void {
  if (report.length > 0) throw new Error(`the workload is not clean: ${JSON.stringify(report[0])}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] as number;
}

const COLUMNS: readonly (readonly [string, (figures: Figures) => string])[] = [
  ["transcripts", (figures) => figures.transcripts],
  ["MB", (figures) => figures.megabytes.toFixed(1)],
  ["parse, ns a message", (figures) => figures.parse.toFixed(0)],
  ["validate, ns a message", (figures) => figures.validate.toFixed(0)],
  ["validate / parse", (figures) => figures.validateToParse.toFixed(2)],
  ["parse and validate / parse", (figures) => figures.parseAndValidateToParse.toFixed(2)],
  ["validateJson / parse", (figures) => figures.validateJsonToParse.toFixed(2)],
];

function row(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(COLUMNS[at]?.[0].length ?? 0))).join("  ");
}

const { values: options } = parseArgs({ options: { json: { type: "string" } } });
console.log(row(COLUMNS.map(([heading]) => heading)));
const table = SIZES.map((size) => {
  const figures = measure(size);
  console.log(row(COLUMNS.map(([, cell]) => cell(figures))));
  return figures;
});
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(table, null, 2)}\n`);

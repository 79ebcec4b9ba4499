/**
 * Times the TypeScript port beside `JSON.parse` on the same texts, and prints what each round took as JSON.
 *
 * Run as `node typescript.mjs PORT TEXTS ROUNDS SECONDS`: the port's compiled index.js, a file with a text a line, how many rounds,
 * and the time after which no round is begun. Each round times every step once; what is validated was parsed right before.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , port, file, rounds, seconds] = process.argv;
const { validateJson, validateTranscript } = await import(pathToFileURL(port).href);
const texts = readFileSync(file, "utf8").trimEnd().split("\n");

function elapsed(items, step) {
  const start = performance.now();
  for (const item of items) step(item);
  return (performance.now() - start) / 1e3;
}

const refused = (items, validate) => items.filter((item) => validate(item).length > 0).length;
const parsed = () => texts.map((text) => JSON.parse(text));

// For each step, what it takes, what it does, and how many of the texts it refuses.
const STEPS = {
  parse: [() => texts, JSON.parse, 0],
  validateJson: [() => texts, validateJson, refused(texts, validateJson)],
  validateTranscript: [parsed, validateTranscript, refused(parsed(), validateTranscript)],
};

const results = Object.fromEntries(Object.entries(STEPS).map(([name, [, , count]]) => [name, { seconds: [], refused: count }]));
const LEAST = 3;
const begun = performance.now();
// The first rounds pass while the engine compiles what is hot.
for (let round = -Math.ceil(rounds / 4); round < LEAST || (round < rounds && performance.now() - begun < seconds * 1e3); round++) {
  for (const [name, [items, step]] of Object.entries(STEPS)) {
    const time = elapsed(items(), step);
    if (round >= 0) results[name].seconds.push(time);
  }
}
console.log(JSON.stringify({ node: process.version, v8: process.versions.v8, results }));

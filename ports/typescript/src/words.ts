/** Puts paths and the caller's text into words: as JSON Pointers for programs, as places and quotations for people. */
import { quotedCharacters } from "../../../generated/typescript/constants.js";

/** The keys and positions that lead from a root to a value. */
export type Path = readonly (string | number)[];

const aName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const notPrintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Renders a path as a JSON Pointer (RFC 6901); the root is the empty string. */
export function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Renders a path for people, as `root[3].content[0].name`; keys that are no plain names are quoted. */
export function place(root: string, path: Path): string {
  const step = (each: string | number): string =>
    typeof each === "number" ? `[${each}]` : aName.test(each) ? `.${each}` : `[${quote(each)}]`;
  return root + path.map(step).join("");
}

/** At most `quotedCharacters` of the text in double quotes, escaped; `…` stands for the rest. */
export function quote(text: string): string {
  return `"${shortened(text, quotedCharacters, (shown) => shown.replace(/["\\]/g, "\\$&"))}"`;
}

/** At most so many characters of text that is not ours, such as a parser's message that quotes its input; `…` stands for the rest. */
export function shortened(text: string, limit: number, prepare = (shown: string): string => shown): string {
  // One code unit more than twice as many shows whether there is a rest, however long the text is.
  const characters = Array.from(text.slice(0, 2 * limit + 1));
  const shown = prepare(characters.slice(0, limit).join("")).replace(notPrintable, escaped);
  return characters.length > limit ? `${shown}…` : shown;
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point <= 0xffff ? `\\u${point.toString(16).padStart(4, "0")}` : `\\U${point.toString(16).padStart(8, "0")}`;
}

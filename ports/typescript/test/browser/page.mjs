// A page that validates what is pasted into it.
import { validateJson } from "message-ir";

const output = document.querySelector("output");

document.querySelector("textarea").addEventListener("input", ({ target }) => {
  const lines = validateJson(target.value).map(({ code, path, message }) => `${code} ${path}: ${message}`);
  output.textContent = lines.join("\n") || "clean";
});

/**
 * Bundles a page that uses the packed package, and pastes transcripts into it in a real browser, without a window.
 *
 *     node test.mjs PROJECT BROWSER
 *
 * PROJECT is a folder with `page.mjs`, `page.html` and the installed package; BROWSER is the executable of a Chromium.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

import { build } from "esbuild";
import { launch } from "puppeteer-core";

const [project, browserPath] = process.argv.slice(2);
const BROWSERS = ["chrome111", "firefox119", "safari16.4"];

async function bundle(contents) {
  const result = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    minify: true,
    format: "esm",
    target: BROWSERS,
    write: false,
    logLevel: "warning",
  });
  assert.deepEqual(result.warnings, []);
  return result.outputFiles[0].text;
}

const script = await bundle(await readFile(join(project, "page.mjs"), "utf8"));
console.log(`the page's bundle has ${script.length} characters`);

// What is not used is not in a bundle.
const onlyVersion = await bundle('import { version } from "message-ir"; console.log(version);');
assert.ok(onlyVersion.length < 100, `importing the version alone brings ${onlyVersion.length} characters`);

const files = { "/": ["text/html", await readFile(join(project, "page.html"))], "/page.js": ["text/javascript", script] };
const server = createServer(({ url }, response) => {
  const [type, body] = files[url] ?? ["text/plain", "not here"];
  response.writeHead(url in files ? 200 : 404, { "content-type": type }).end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

// No sandbox of its own: in a container, or as root, Chromium cannot make one, and it opens nothing but this page.
const browser = await launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await browser.defaultBrowserContext().overridePermissions(origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
  await page.goto(origin);

  const call = { role: "assistant", id: "m1", content: [{ type: "toolCall", id: "call-1", name: "read", arguments: {} }] };
  const result = { role: "toolResult", id: "m2", toolCallId: "call-1", toolName: "read", content: "“{}” ✓", isError: false };
  for (const [text, expected] of [
    [JSON.stringify([call, result]), "clean"],
    [JSON.stringify([call]), /^MISSING_TOOL_RESULT \/0\/content\/0\/id: [^\n]+$/],
    [JSON.stringify([result, call, { role: "user" }]), /^INVALID_MESSAGE \/2\/id: .+\nTOOL_RESULT_BEFORE_CALL \/0\/toolCallId: .+\nMISSING_TOOL_RESULT \/1\/content\/0\/id: .+$/],
    ["[", /^INVALID_TRANSCRIPT : The text is not JSON: .+$/],
  ]) {
    await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
    await page.focus("textarea");
    await page.keyboard.down("Control");
    await page.keyboard.press("a", { commands: ["SelectAll"] });
    await page.keyboard.press("v", { commands: ["Paste"] });
    await page.keyboard.up("Control");
    assert.equal(await page.$eval("textarea", (area) => area.value), text);
    const shown = await page.$eval("output", (output) => output.textContent);
    if (typeof expected === "string") assert.equal(shown, expected);
    else assert.match(shown, expected);
  }
  assert.deepEqual(errors, []);
  console.log(`${await browser.version()} validates what is pasted`);
} finally {
  await browser.close();
  server.close();
}

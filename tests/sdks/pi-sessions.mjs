/**
 * Asks the session manager of Pi's coding agent.
 *
 *     node pi-sessions.mjs PACKAGE write FOLDER   writes sessions of every kind
 *     node pi-sessions.mjs PACKAGE open FILE      opens one, and migrates it in place
 *
 * Prints, for each session, its name, its file, and the messages of the active branch.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, command, path] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(join(resolve(folder), "dist/core/session-manager.js")).href);

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
let clock = 0;
const user = (text) => ({ role: "user", content: text, timestamp: ++clock });
const answer = (stopReason, ...content) => ({ role: "assistant", content, api: "a", provider: "p", model: "m", usage, stopReason, timestamp: ++clock });
const text = (said) => ({ type: "text", text: said });
const call = (id) => ({ type: "toolCall", id, name: "ls", arguments: { path: "." } });
const result = (id) => ({ role: "toolResult", toolCallId: id, toolName: "ls", content: [text("a.txt"), text("b.txt")], isError: false, timestamp: ++clock });

/** A round of a user, a call, its result and an answer; gives the ids of its entries. */
function round(session, name) {
  return [user(`Look at ${name}.`), answer("toolUse", { type: "thinking", thinking: "hm" }, text("I will."), call(name)), result(name), answer("stop", text(`Done with ${name}.`))].map((message) =>
    session.appendMessage(message),
  );
}

const KINDS = {
  plain: (session) => round(session, "one"),
  "two rounds": (session) => [round(session, "one"), round(session, "two")],
  fork: (session) => {
    const first = round(session, "one");
    round(session, "two");
    session.branch(first[3]);
    round(session, "three");
  },
  "fork into the middle of a round": (session) => {
    const first = round(session, "one");
    session.branch(first[1]);
    session.appendMessage(result("one"));
  },
  "branch with a summary": (session) => {
    const first = round(session, "one");
    round(session, "two");
    session.branchWithSummary(first[3], "It was about two.");
    round(session, "three");
  },
  compaction: (session) => {
    round(session, "one");
    const second = round(session, "two");
    session.appendCompaction("It was about one.", second[0], 100);
    round(session, "three");
  },
  "two compactions": (session) => {
    const first = round(session, "one");
    session.appendCompaction("Nothing yet.", first[0], 100);
    const second = round(session, "two");
    session.appendCompaction("It was about one.", second[2], 100);
    round(session, "three");
  },
  "custom entries": (session) => {
    session.appendModelChange("p", "m");
    session.appendThinkingLevelChange("high");
    const [first] = round(session, "one");
    session.appendCustomEntry("state", { a: 1 });
    session.appendCustomMessageEntry("note", "Mind this.", true);
    session.appendLabelChange(first, "begin");
    session.appendSessionInfo("A name");
    round(session, "two");
  },
  "an aborted turn": (session) => {
    round(session, "one");
    session.appendMessage(user("Go on."));
    session.appendMessage(answer("aborted", text("I wi"), call("two")));
    round(session, "three");
  },
  "a fork whose last entry is no message": (session) => {
    const first = round(session, "one");
    round(session, "two");
    session.branch(first[3]);
    session.appendSessionInfo("A name");
  },
};

function told(name, session) {
  return { name, file: session.getSessionFile(), messages: session.buildSessionContext().messages };
}

const sessions =
  command === "open"
    ? [told(path, SessionManager.open(path))]
    : Object.entries(KINDS).map(([name, write], number) => {
        const session = SessionManager.create(path, join(path, String(number)));
        write(session);
        return told(name, session);
      });
console.log(JSON.stringify(sessions));

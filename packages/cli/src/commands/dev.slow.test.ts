import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith } from "../../test/folder.js";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const loader = [
  "--conditions=@constellation/source",
  "--import",
  pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href,
];

const librarian = (answer: string) => `export const createLibrarian = () => ({
  id: "on-call",
  description: "Knows who is on call.",
  librarian: async (query) => ({ answer: query === "throw" ? [].x.y : ${JSON.stringify(answer)} }),
});
`;

/** `constellation dev`, and what it prints. */
function startDev(cwd: string) {
  const { VITEST: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn(process.execPath, [...loader, main, "dev", "--port", "0"], { cwd, env });
  const printed = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed.text += String(chunk);
      child.emit("printed");
    });
  }
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, printed };
}

/** Waits until something was printed so many times. */
function until(child: ChildProcess, printed: { text: string }, what: RegExp, times = 1) {
  return new Promise<RegExpMatchArray>((resolve) => {
    const look = () => {
      const found = [...printed.text.matchAll(new RegExp(what, "g"))];
      const [match] = found.slice(times - 1);
      if (match !== undefined) resolve(match);
    };
    child.on("printed", look);
    look();
  });
}

async function ask(url: string, query: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query });
  const reply = await fetch(`${url}/ask`, { method: "POST", headers, body });
  await reply.arrayBuffer();
  return reply.headers.get("x-run-id") ?? "";
}

const runOf = async (url: string, id: string) => (await fetch(`${url}/runs/${id}`)).text();
const listening = /Listening on (\S+)/;

describe("constellation dev", () => {
  it("serves again after a change, on the same port, with the runs before it", async () => {
    const cwd = folderWith({
      "package.json": '{ "type": "module" }',
      "mesh.yaml": "librarians: [{ use: ./librarians/on-call.js }]",
      "librarians/on-call.js": librarian("Ann"),
    });
    const { child, printed } = startDev(cwd);
    const [, url = ""] = await until(child, printed, listening);
    const before = await ask(url, "who?");
    const thrown = await ask(url, "throw");

    writeFileSync(join(cwd, "librarians/on-call.js"), "export const createLibrarian = nonsense(;");
    await until(child, printed, /on-call\.js:1/);
    await until(child, printed, /Waiting for a change/);
    writeFileSync(join(cwd, "librarians/on-call.js"), librarian("Bob"));
    const [, again] = await until(child, printed, listening, 2);
    const after = await ask(url, "who?");

    expect(again).toBe(url);
    expect(await runOf(url, before)).toContain("Ann");
    expect(await runOf(url, thrown)).toMatch(/TypeError: .*on-call\.js:4/);
    expect(await runOf(url, after)).toContain("Bob");

    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });

  it("outlives what librarians do wrong, and says which one and what to write", async () => {
    const cwd = folderWith({
      "package.json": '{ "type": "module" }',
      "mesh.yaml":
        "entry: rude\nlibrarians: [{ use: ./rude.js }, { use: ./late.js }, { use: ./kind.js }]",
      "rude.js": `const save = async (query) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Error("not saved: " + query);
};
export const createLibrarian = () => ({
  id: "rude",
  description: "Forgets to wait, or does not stop.",
  librarian: async (query) => {
    if (query === "float") save(query);
    if (query === "block") for (const end = Date.now() + 300; Date.now() < end; );
    if (query === "ignore") await new Promise((resolve) => setTimeout(resolve, 2_000));
    return { answer: "ok" };
  },
});
`,
      "late.js": `let tries = 0;
export const createLibrarian = () => ({
  id: "late",
  description: "Starts at the second try.",
  librarian: async () => ({ answer: "ok" }),
  start: async () => { if (tries++ < 1) throw new Error("no database"); },
});
`,
      "kind.js": `export const createLibrarian = () => ({
  id: "kind",
  description: "Answers.",
  librarian: async () => ({ answer: "ok" }),
});
`,
    });
    const { child, printed } = startDev(cwd);
    const [, url = ""] = await until(child, printed, listening);
    expect(printed.text).toContain('Not started: Librarian "late" did not start. no database');

    await ask(url, "float");
    await until(
      child,
      printed,
      /A promise of rude was rejected.*Error: not saved: float\n +at save/,
    );
    const blocked = await ask(url, "block");
    await until(child, printed, /rude blocked the event loop for 0\.\d s/);
    await fetch(`${url}/ask/stream?query=ignore&timeoutMs=50`).then((reply) => reply.text());
    await until(
      child,
      printed,
      /rude ignored its signal \(deadline\).*async \(query, \{ signal \}\)/,
    );

    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/constellation_unhandled_rejections_total\{librarian="rude"\} 1/);
    expect(metrics).toMatch(/event_loop_blocked_seconds_total\{librarian="rude"\} \d/);
    expect(await runOf(url, blocked)).toMatch(/"blockedMs":\d{3}/);
    expect(child.exitCode).toBeNull();
  });
});

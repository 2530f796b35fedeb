import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith } from "../../test/folder.js";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const loader = [
  "--conditions=@constellation/source",
  "--import",
  join(root, "node_modules/@oxc-node/core/register.mjs"),
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
  onTestFinished(() => void child.kill("SIGKILL"));
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
});

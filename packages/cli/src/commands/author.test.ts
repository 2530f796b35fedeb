import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";
import { post, serving } from "../../test/serving.js";

const mesh = (use: string) => `librarians: [{ use: ${use} }]`;
const thrower = {
  "mesh.yaml": mesh("./on-call.js"),
  "on-call.js": `export const createLibrarian = () => ({
  id: "on-call",
  description: "Throws.",
  librarian: async () => {
    const rota = undefined;
    return rota.today;
  },
});
`,
};

describe("the author of a librarian that throws", () => {
  it("sees the message and the line on a terminal, and the stack with --debug", async () => {
    const cwd = folderWith(thrower);

    const shown = await run(["ask", "Who?"], { cwd, isTTY: true, env: { NO_COLOR: "1" } });
    const debug = await run(["ask", "--debug", "Who?"], { cwd });
    const plain = await run(["ask", "Who?"], { cwd });

    expect(shown.stderr).toContain(
      "on-call threw TypeError: Cannot read properties of undefined (reading 'today')\n    at on-call.js:6:17\n",
    );
    expect(debug.stderr).toMatch(/on-call threw TypeError: .*\n {4}at .*on-call\.js:6:17/);
    expect(plain.stderr).not.toContain("on-call.js:6");
    expect(plain.stderr).toContain("\n\n`--debug` shows what it threw, with its stack.\n");
    expect(plain.stderr + debug.stderr).not.toContain("hop:end");
  });

  it("sees message and line where the mesh is served with --debug", async () => {
    const ask = async (url: string) => {
      expect((await post(`${url}/ask`, { query: "Who?" })).status).toBe(500);
    };

    const debug = await serving(["--debug"], {}, ask, thrower);
    const quiet = await serving([], {}, ask, thrower);

    expect(debug.stderr).toMatch(/on-call threw TypeError: .*'today'\)\n {4}at on-call\.js:6:17\n/);
    expect(quiet.stderr).not.toContain("today");
  });

  it("sees no fault in a librarian that stops when it is cancelled", async () => {
    const controller = new AbortController();
    const cwd = folderWith({
      "mesh.yaml": mesh("./slow.js"),
      "slow.js": `export const createLibrarian = () => ({
        id: "slow",
        description: "Interrupts, and stops.",
        librarian: (query, { signal }) => new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          globalThis.interruptAuthor();
        }),
      });`,
    });
    Object.assign(globalThis, { interruptAuthor: () => controller.abort() });

    const { exitCode, stderr } = await run(["ask", "--debug", "Who?"], {
      cwd,
      isTTY: true,
      signal: controller.signal,
    });

    expect(exitCode).toBe(130);
    expect(stderr).not.toContain("threw");
  });

  it("sees which field of a response is not valid", async () => {
    const cwd = folderWith({
      "mesh.yaml": mesh("./wrong.js"),
      "wrong.js": `export const createLibrarian = () => ({
        id: "wrong",
        description: "Returns a wrong response.",
        librarian: async () => ({ answer: "yes", confidence: "high" }),
      });`,
    });

    const { stderr } = await run(["ask", "-q", "Who?"], { cwd });
    const debug = await run(["ask", "-q", "--debug", "Who?"], { cwd });

    expect(stderr).toContain("confidence");
    expect(stderr).not.toContain('"high"');
    expect(debug.stderr).toContain('"confidence": "high"');
  });

  it("sees file and line of a syntax error, and of what a module throws when it is loaded", async () => {
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./broken.js }, { use: ./throws.js }]",
      "package.json": '{ "type": "module" }',
      "broken.js": "export const a = 1;\nfoo bar\n",
      "throws.js": "export const a = 1;\nnull.x;\n",
    });

    const { exitCode, stderr } = await run(["check"], { cwd });

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/broken\.js": cannot be loaded: .*broken\.js:2\)/);
    expect(stderr).toMatch(/throws\.js": cannot be loaded: .*throws\.js:2:\d+\)/);
  });
});

import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

const parrot = {
  "mesh.yaml": "librarians: [{ use: ./parrot.js }]",
  "parrot.js": `export const createLibrarian = () => ({
    id: "parrot",
    description: "Repeats the question and what it remembers.",
    librarian: async (query, { thread }) => ({
      answer: query + " after " + JSON.stringify(thread?.turns.map((turn) => turn.query) ?? []),
    }),
  });`,
};

describe("constellation chat", () => {
  it("asks each line, with the questions before it, and ends with the input", async () => {
    const { exitCode, stdout } = await run(["chat", "-q"], {
      cwd: folderWith(parrot),
      stdin: "one\n\n  \ntwo\nthree\n",
    });

    expect(exitCode).toBe(0);
    expect(stdout).toBe('one after []\n\ntwo after ["one"]\n\nthree after ["one","two"]\n\n');
  });

  it.each(["/exit", "exit", "QUIT"])(
    "explains itself with /help, and ends with %s",
    async (end) => {
      const { exitCode, stdout } = await run(["chat", "-q"], {
        cwd: folderWith(parrot),
        stdin: `/help\n/nope\none\n${end}\ntwo\n`,
      });

      expect(exitCode).toBe(0);
      expect(stdout).toMatch(
        /^Type a question\..*\nUnknown command\. Type a question\..*\none after \[\]\n\n$/,
      );
    },
  );

  it("sends along which librarian answered", async () => {
    const { stdout } = await run(["chat", "-q"], {
      cwd: folderWith({
        ...parrot,
        "parrot.js": parrot["parrot.js"].replace("turn.query", "turn.librarians"),
      }),
      stdin: "one\ntwo\n",
    });

    expect(stdout).toContain('two after [["parrot"]]');
  });

  it("continues a thread that is kept", async () => {
    const cwd = folderWith(parrot);
    const options = { cwd, env: { CONSTELLATION_JOURNAL: "journal.db" } };
    await run(["ask", "-q", "--thread", "t", "one"], options);

    const { stdout } = await run(["chat", "-q", "--thread", "t"], { ...options, stdin: "two\n" });

    expect(stdout).toBe('two after ["one"]\n\n');
  });

  it("continues after a question without an answer", async () => {
    const { exitCode, stdout, stderr } = await run(["chat", "-q"], {
      cwd: folderWith(shopMesh),
      stdin: "milk?\nbread?\n",
    });

    expect(exitCode).toBe(0);
    expect(stderr).toContain("No answer: Only bread is sold here.");
    expect(stdout).toContain("12");
  });

  it("ends with 130 when it is interrupted", async () => {
    const controller = new AbortController();
    Object.assign(globalThis, { interruptChat: () => controller.abort() });
    const cwd = folderWith({
      ...parrot,
      "parrot.js": `export const createLibrarian = () => ({
        id: "parrot",
        description: "Interrupts.",
        librarian: (query, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            globalThis.interruptChat();
          }),
      });`,
    });

    const { exitCode, stderr } = await run(["chat", "-q"], {
      cwd,
      stdin: "one\ntwo\n",
      signal: controller.signal,
    });

    expect(exitCode).toBe(130);
    expect(stderr.match(/Cancelled/g)).toHaveLength(1);
  });
});

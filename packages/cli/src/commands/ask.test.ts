import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

/** A librarian with a headline and an answer of so many paragraphs. */
const page = (id: string, paragraphs: number) => `export const createLibrarian = () => ({
  id: "${id}",
  description: "Knows.",
  librarian: async () => ({
    answer: "${id} begins\\n\\n" + "A line of it.\\n\\n".repeat(${paragraphs}),
    headline: "${id} in a line",
    sources: [{ name: "${id}.md" }],
  }),
});`;

describe("constellation ask", () => {
  it("prints the answer and its sources on stdout, progress on stderr, and exits with 0", async () => {
    const { exitCode, stdout, stderr } = await run(["ask", "Is", "there bread?"], {
      cwd: folderWith(shopMesh),
    });

    expect(exitCode).toBe(0);
    expect(stdout).toBe(`# Bread

There are **12** loaves.

Sources

  1. shelf.md#Bread (0.80)

Confidence: 90 %
`);
    expect(stderr).toMatch(/desk +→ delegates to shop\n(?:.*\n)*.*shop +✓ answer, 90 % sure\n$/);
  });

  it("prints on stderr why there is no answer, and exits with 1", async () => {
    const { exitCode, stdout, stderr } = await run(["ask", "milk?", "--quiet"], {
      cwd: folderWith(shopMesh),
    });

    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      "No answer: Only bread is sold here. [NOT_FOUND]\n\nRephrase the query, or ask another librarian.\n",
    );
  });

  it("prints exactly one JSON document with --json, with an answer and without one", async () => {
    const cwd = folderWith(shopMesh);

    const answered = await run(["ask", "--json", "bread?"], { cwd });
    const failed = await run(["ask", "--json", "milk?"], { cwd });

    expect([answered.exitCode, failed.exitCode]).toEqual([0, 1]);
    expect(JSON.parse(answered.stdout)).toMatchObject({
      response: { answer: expect.stringContaining("12"), confidence: 0.9 },
      run: { query: "bread?", to: "desk", stopReason: "answered", hops: [{ id: 1 }, { id: 2 }] },
    });
    expect(JSON.parse(failed.stdout)).toMatchObject({
      response: { error: { code: "NOT_FOUND" } },
      run: { stopReason: "not-found" },
    });
    expect(failed.stderr).toContain("started");
  });

  it.each([
    ["--output", "yaml"],
    ["-o", "yaml"],
  ])("prints the same document as YAML with %s %s", async (...flags) => {
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./shelf.js }]",
      "shelf.js": `export const createLibrarian = () => ({
        id: "shelf",
        description: "Knows.",
        librarian: async () => ({ answer: "yes: no\\n- \\u001b[31mred\\u202e" }),
      });`,
    });

    const { exitCode, stdout } = await run(["ask", ...flags, "--quiet", "?"], { cwd });

    expect(exitCode).toBe(0);
    expect(parse(stdout)).toMatchObject({
      response: { answer: "yes: no\n- \\u001b[31mred\\u202e" },
      run: { stopReason: "answered" },
    });
  });

  it("asks as the user of --as, with roles and teams, so that rights can be tried", async () => {
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./pay.js, allow: { roles: [payer], teams: [finance] } }]",
      "pay.js": `export const createLibrarian = () => ({
        id: "pay",
        description: "Pays.",
        librarian: async (query, { user }) => ({ answer: JSON.stringify(user) }),
      });`,
    });
    const asked = async (...flags: string[]) =>
      run(["ask", "--to", "pay", "--quiet", ...flags, "?"], { cwd });

    expect((await asked()).exitCode).toBe(1);
    expect((await asked("--as", "ann")).exitCode).toBe(1);
    expect((await asked("--as", "ann:payer")).stdout).toContain('"id":"ann"');
    expect((await asked("--as", "ann:guest,finance")).exitCode).toBe(0);
    expect((await asked("--as", "ann:guest")).stderr).toContain("UNAUTHORIZED");
  });

  it("streams what a librarian writes to stderr, by the line", async () => {
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./writer.js }]",
      "writer.js": `export const createLibrarian = () => ({
        id: "writer",
        description: "Writes.",
        librarian: async (query, { report }) => {
          for (const text of ["First ", "line.\\nSecond", " line.\\n"]) report({ text });
          return { answer: "First line." };
        },
      });`,
    });

    const { stderr } = await run(["ask", "What?"], { cwd });

    expect(stderr).toMatch(/writer +First line\.\n.*writer +Second line\.\n/);
  });

  it("counts equal gaps together", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `gone-${index}`);
    const cwd = folderWith({
      "mesh.yaml": "entry: desk\nlibrarians: [{ use: ./desk.js }, { use: ./here.js }]",
      "desk.js": `export const createLibrarian = () => ({
        id: "desk",
        description: "Asks many.",
        librarian: async () => ({
          delegate: ["here", ...${JSON.stringify(ids)}].map((to) => ({ to })),
        }),
      });`,
      "here.js": `export const createLibrarian = () => ({
        id: "here",
        description: "Answers.",
        librarian: async () => ({ answer: "Here." }),
      });`,
    });

    const { stdout } = await run(["ask", "-q", "What?"], { cwd });

    expect(stdout).toContain("Here.");
    expect(stdout).toMatch(/ {2}gone-0, gone-1, gone-2, gone-3, gone-4 and 3 more: .* \[\w+/);
    expect(stdout.match(/gone-/g)).toHaveLength(5);
  });

  it("adds the tree of hops with --tree, and draws a flowchart with --mermaid", async () => {
    const cwd = folderWith(shopMesh);

    const tree = await run(["ask", "--tree", "bread?"], { cwd });
    const chart = await run(["ask", "--mermaid", "bread?"], { cwd });

    expect(tree.stdout).toMatch(/Hops\n\n {2}desk .*\n {2}└─ shop .*answer, confidence 0.9/);
    expect(chart.stdout).toMatch(/^flowchart TD\n/);
  });

  it("lists missing branches and why", async () => {
    const cwd = folderWith({
      ...shopMesh,
      "mesh.yaml": `entry: desk
librarians:
  - { use: ./desk.js, delegatesTo: [shop, dairy] }
  - { use: ./shop.js, options: { stock: 3 } }
  - { use: ./dairy.js }
`,
      "desk.js": `export const createLibrarian = () => ({
        id: "desk",
        description: "Asks both.",
        librarian: async () => ({ delegate: [{ to: "shop" }, { to: "dairy" }] }),
      });`,
      "dairy.js": `export const createLibrarian = () => ({
        id: "dairy",
        description: "Sells milk.",
        librarian: async () => ({ error: { code: "DATA_SOURCE_ERROR", message: "No cow\\ntoday." } }),
      });`,
    });

    const { exitCode, stdout } = await run(["ask", "-q", "bread?"], { cwd });

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Confidence: \d+ %, partial answer\n/);
    expect(stdout).toContain("Missing\n\n  dairy: No cow today. [DATA_SOURCE_ERROR]\n");
  });

  it("asks who is named with --to; for one it does not know it suggests another", async () => {
    const cwd = folderWith(shopMesh);

    const direct = await run(["ask", "--json", "--to", "shop", "bread?"], { cwd });
    const unknown = await run(["ask", "--to", "shpo", "bread?"], { cwd });

    expect(JSON.parse(direct.stdout)).toMatchObject({ run: { to: "shop" } });
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('the librarian "shpo" was not found. Did you mean "shop"?');
  });

  it("reads the question from stdin for -", async () => {
    const { stdout } = await run(["ask", "--json", "-"], {
      cwd: folderWith(shopMesh),
      stdin: "any bread?\n",
    });

    expect(JSON.parse(stdout)).toMatchObject({ run: { query: "any bread?" } });
  });

  it("gives the run the time of --timeout", async () => {
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./slow.js }]",
      "slow.js": `export const createLibrarian = () => ({
        id: "slow",
        description: "Never answers.",
        librarian: (query, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      });`,
    });

    const { exitCode, stdout } = await run(["ask", "--json", "--timeout", "20ms", "?"], { cwd });

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ response: { error: { code: "TIMEOUT" } } });
  });

  it("cancels the run and exits with 130 when it is interrupted", async () => {
    const controller = new AbortController();
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./slow.js }]",
      "slow.js": `export const createLibrarian = () => ({
        id: "slow",
        description: "Interrupts, and never answers.",
        librarian: (query, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            globalThis.interruptAsk();
          }),
      });`,
    });
    Object.assign(globalThis, { interruptAsk: () => controller.abort() });

    const { exitCode, stderr } = await run(["ask", "?"], { cwd, signal: controller.signal });

    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/Cancelled\.\n$/);
  });

  it("shows what runs while it runs on a terminal, takes it away, and prints the tree", async () => {
    const { stdout, stderr } = await run(["ask", "bread?"], {
      cwd: folderWith({
        ...shopMesh,
        "shop.js": `export const createLibrarian = () => ({
          id: "shop",
          description: "Looks for bread.",
          librarian: async (query, context) => {
            context.report({ message: "counting loaves" });
            await new Promise((resolve) => setTimeout(resolve, 250));
            return { answer: "**12** loaves" };
          },
        });`,
      }),
      isTTY: true,
    });

    expect(stderr).toContain("counting loaves · asked by desk");
    // Each drawing clears the one before; the last thing is that the lines are gone.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence that clears the terminal
    expect(stderr).toMatch(/\u001b\[\dA\u001b\[0J$/);
    expect(stdout).toContain("\u001b[1m12\u001b[22m loaves");
    expect(stdout).toMatch(/└─ shop/);
  });

  it("uses no colour where NO_COLOR is set, and some in a pipe where FORCE_COLOR is", async () => {
    const cwd = folderWith(shopMesh);

    const plain = await run(["ask", "-q", "bread?"], { cwd, isTTY: true, env: { NO_COLOR: "1" } });
    const forced = await run(["ask", "-q", "bread?"], { cwd, env: { FORCE_COLOR: "1" } });

    expect(plain.stdout).not.toContain("\u001b");
    expect(forced.stdout).toContain("\u001b[1mSources");
  });

  it("prints the headlines and sources of a long answer on a terminal, all of it with --full and in a pipe", async () => {
    const cwd = folderWith({
      "mesh.yaml":
        "entry: desk\nlibrarians: [{ use: ./desk.js }, { use: ./long.js }, { use: ./short.js }]",
      "desk.js": `export const createLibrarian = () => ({
        id: "desk",
        description: "Asks.",
        librarian: async (query) => ({
          delegate: query === "both" ? [{ to: "long" }, { to: "short" }] : { to: query },
        }),
      });`,
      "long.js": page("long", 40),
      "short.js": page("short", 2),
    });
    const asked = async (query: string, ...flags: string[]) => {
      const options = { cwd, isTTY: true, env: { NO_COLOR: "1" } };
      return (await run(["ask", "-q", "--no-journal", ...flags, query], options)).stdout;
    };

    const both = await asked("both");
    expect(both).toContain("• long: long in a line\n• short: short in a line\n");
    expect(both).toMatch(
      /The whole answer has \d+ lines: --full prints it\.\n\nSources\n\n {2}1\. long\.md/,
    );
    expect(both).not.toContain("A line of it.");
    expect(await asked("long")).toMatch(/^long in a line\n\nThe whole answer has 81 lines/);
    expect(await asked("short")).toMatch(/^short begins\n\nA line of it\./);
    for (const whole of [
      await asked("both", "--full"),
      (await run(["ask", "-q", "both"], { cwd })).stdout,
    ]) {
      expect(whole).toContain("long in a line");
      expect(whole.match(/A line of it\./g)).toHaveLength(42);
    }
  });

  it("lets nothing that a librarian wrote reach the terminal as a control sequence", async () => {
    const evil = "\\u001b]0;owned\\u0007\\u001b[2Jx\\u009b31m\\u202ey\\u0008z";
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./evil.js }]",
      "evil.js": `export const createLibrarian = () => ({
        id: "evil",
        description: "Writes what it should not.",
        librarian: async (query, context) => {
          context.report({ message: "${evil}" });
          return query === "fail"
            ? { error: { code: "NOT_FOUND", message: "${evil}", suggestion: "${evil}" } }
            : { answer: "a${evil}b", sources: [{ name: "${evil}", url: "https://x/${evil}" }] };
        },
      });`,
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

    for (const argv of [
      ["ask", "?"],
      ["ask", "fail"],
      ["ask", "--json", "?"],
    ]) {
      const { stdout, stderr } = await run(argv, { cwd });
      expect(stdout + stderr).not.toMatch(controls);
      expect(stdout + stderr).toContain("yz");
    }
  });

  it("exits with 2 and advice, without a mesh or a question", async () => {
    const nothing = await run(["ask", "?"], { cwd: folderWith({}) });
    const blank = await run(["ask", " "], { cwd: folderWith(shopMesh) });

    expect([nothing.exitCode, blank.exitCode]).toEqual([2, 2]);
    expect(nothing.stderr).toContain("constellation init");
    expect(blank.stderr).toContain("The question is empty");
  });
});

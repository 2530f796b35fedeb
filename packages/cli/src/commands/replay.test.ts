import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

/** A folder with the shop's mesh and `run.json`, a saved run of it. */
async function saved(query: string): Promise<string> {
  const cwd = folderWith(shopMesh);
  const { stdout } = await run(["ask", "-q", "--json", query], { cwd });
  writeFileSync(join(cwd, "run.json"), stdout);
  return cwd;
}

describe("constellation replay", () => {
  it("prints a saved run again, with its tree, and asks no librarian", async () => {
    const cwd = await saved("bread?");
    writeFileSync(join(cwd, "mesh.yaml"), "not a mesh");

    const { exitCode, stdout } = await run(["replay", "run.json"], { cwd });

    expect(exitCode).toBe(0);
    expect(stdout).toContain("There are **12** loaves.");
    expect(stdout).toMatch(/Hops\n\n {2}desk .*\n {2}└─ shop/);
  });

  it("prints the flowchart and the document of a run that failed, and exits with 1", async () => {
    const cwd = await saved("milk?");

    const chart = await run(["replay", "--mermaid", "run.json"], { cwd });
    const json = await run(["replay", "--json", "run.json"], { cwd });

    expect([chart.exitCode, json.exitCode]).toEqual([1, 1]);
    expect(chart.stdout).toMatch(/^flowchart TD\n/);
    expect(JSON.parse(json.stdout)).toMatchObject({ response: { error: { code: "NOT_FOUND" } } });
  });

  it("prints a saved document with --json as it was saved", async () => {
    const cwd = await saved("bread?");

    const { stdout } = await run(["replay", "--json", "run.json"], { cwd });

    expect(stdout).toBe(readFileSync(join(cwd, "run.json"), "utf8"));
  });

  it("reads a run record alone", async () => {
    const cwd = await saved("bread?");
    const { stdout } = await run(["ask", "-q", "--json", "bread?"], { cwd });
    const { run: record } = JSON.parse(stdout) as { run: unknown };
    writeFileSync(join(cwd, "record.json"), JSON.stringify(record));

    const printed = await run(["replay", "record.json"], { cwd });

    expect(printed.exitCode).toBe(0);
    expect(printed.stdout).toMatch(/└─ shop/);
  });

  it("asks the question again with --ask", async () => {
    const cwd = await saved("bread?");
    writeFileSync(join(cwd, "mesh.yaml"), shopMesh["mesh.yaml"]?.replace("12", "7") ?? "");

    const { stdout } = await run(["replay", "-q", "--ask", "run.json"], { cwd });

    expect(stdout).toContain("There are **7** loaves.");
  });

  it.each([
    ["no JSON", "is not JSON"],
    ["{}", "is not a saved run. run: expected a run record."],
    [
      '{"run":{"query":"a","to":"b","durationMs":1,"unsettled":0,"hops":[{}]}}',
      "run.hops.0.id: expected a number",
    ],
    ['{"hops":5}', "run.query: expected text."],
    ["null", "is not a saved run"],
  ])("refuses a file with %s", async (text, problem) => {
    const { exitCode, stderr } = await run(["replay", "x.json"], {
      cwd: folderWith({ "x.json": text }),
    });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `x.json: ${problem.startsWith("run.") ? "is not a saved run. " : ""}${problem}`,
    );
  });

  it("prints no control sequence of a saved run", async () => {
    const cwd = await saved("bread?");
    const evil = "\u001b]0;owned\u0007";
    const file = {
      response: { answer: `a${evil}b` },
      run: {
        query: evil,
        to: evil,
        durationMs: 1,
        unsettled: 0,
        stopReason: evil,
        hops: [
          {
            id: 1,
            to: evil,
            depth: 0,
            via: "entry",
            query: evil,
            startMs: 0,
            durationMs: 1,
            outcome: evil,
          },
        ],
      },
    };
    writeFileSync(join(cwd, "evil.json"), JSON.stringify(file));

    const { stdout, stderr } = await run(["replay", "evil.json"], { cwd });

    expect(stdout).toContain("ab");
    expect(stdout + stderr).not.toContain("\u001b");
    expect(stdout + stderr).not.toContain("\u0007");
  });
});

import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

const good = '{"id":"bread","query":"bread?","expect":{"mustMention":["12"]}}';
const bad = '{"id":"milk","query":"milk?","expect":{"mustMention":["milk"]}}';

describe("constellation eval", () => {
  it("exits with 0 when every case passes, and prints a report", async () => {
    const { exitCode, stdout, stderr } = await run(["eval", "cases.jsonl"], {
      cwd: folderWith({ ...shopMesh, "cases.jsonl": good }),
    });

    expect(exitCode).toBe(0);
    expect(stdout).toContain("1 of 1");
    expect(stderr).toMatch(/^✓ bread \d+ ms\n$/);
  });

  it("exits with 1 when a case fails, and names it", async () => {
    const cwd = folderWith({ ...shopMesh, "cases.jsonl": `${good}\n${bad}\n` });

    const text = await run(["eval", "-q", "cases.jsonl"], { cwd });
    const json = await run(["eval", "-q", "--json", "cases.jsonl"], { cwd });

    expect([text.exitCode, json.exitCode]).toEqual([1, 1]);
    expect(text.stdout).toContain("milk");
    expect(JSON.parse(json.stdout)).toMatchObject({ total: { passed: 1, of: 2 } });
  });

  it("refuses a judge without a model, and without a rubric", async () => {
    const cwd = folderWith({ ...shopMesh, "cases.jsonl": good, "rubric.md": "It is right." });

    const model = await run(["eval", "--judge", "rubric.md", "cases.jsonl"], { cwd });
    const rubric = await run(["eval", "--judge", "none.md", "cases.jsonl"], { cwd });

    expect([model.exitCode, rubric.exitCode]).toEqual([2, 2]);
    expect(model.stderr).toContain("the mesh has no model");
    expect(rubric.stderr).toContain("none.md: file not found.");
  });

  it("reports the line of a wrong case", async () => {
    const cwd = folderWith({ ...shopMesh, "cases.jsonl": `${good}\n{"id":"x"}\n` });

    const { exitCode, stderr } = await run(["eval", "cases.jsonl"], { cwd });
    const missing = await run(["eval", "none.jsonl"], { cwd });

    expect([exitCode, missing.exitCode]).toEqual([2, 2]);
    expect(stderr).toContain("cases.jsonl:2: query:");
    expect(missing.stderr).toContain("none.jsonl: file not found.");
  });
});

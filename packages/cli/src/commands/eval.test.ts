import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

  it("fails with a baseline only for what got worse, and prints that", async () => {
    const cwd = folderWith({ ...shopMesh, "cases.jsonl": `${good}\n${bad}\n` });
    const { stdout } = await run(["eval", "-q", "--json", "cases.jsonl"], { cwd });
    const before = JSON.parse(stdout) as { results: { id: string; passed: boolean }[] };
    const write = (passed: boolean) => {
      const results = before.results.map((one) => ({ ...one, durationMs: 60_000, passed }));
      writeFileSync(join(cwd, "main.json"), JSON.stringify({ results }));
    };
    const compare = () => run(["eval", "-q", "--baseline", "main.json", "cases.jsonl"], { cwd });

    write(false);
    const better = await compare();
    write(true);
    const worse = await compare();
    writeFileSync(join(cwd, "main.json"), "{}");

    expect([better.exitCode, worse.exitCode]).toEqual([0, 1]);
    expect(better.stdout).toContain("better: bread\nstill failing: milk\ndurationMs: 60000 before");
    expect(worse.stdout).toContain("worse: milk");
    expect((await compare()).stderr).toContain("main.json is not a report");
  });

  it("compares saved runs and asks nothing, writes JUnit, and annotates in GitHub Actions", async () => {
    const cwd = folderWith({ ...shopMesh, "cases.jsonl": `${good}\n${bad}\n` });
    const saved = await run(["ask", "--json", "-q", "bread?"], { cwd });
    mkdirSync(join(cwd, "runs"));
    writeFileSync(join(cwd, "runs/bread.json"), saved.stdout);
    rmSync(join(cwd, "mesh.yaml"), { force: true });
    rmSync(join(cwd, "constellation.yaml"), { force: true });

    const { exitCode, stdout, stderr } = await run(
      ["eval", "-q", "--saved", "runs", "--junit", "eval.xml", "cases.jsonl"],
      { cwd, env: { GITHUB_ACTIONS: "true" } },
    );

    expect(exitCode).toBe(1);
    expect(stdout).toContain("1 of 2");
    expect(stderr).toContain("::error file=cases.jsonl,line=2,title=eval milk::milk?");
    expect(stderr).toContain("no run of runs with a response asked this");
    expect(readFileSync(join(cwd, "eval.xml"), "utf8")).toContain('name="bread"');
  });
});

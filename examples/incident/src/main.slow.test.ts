import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadMesh } from "@constellation/cli";
import { askRouter, readCases, runEval } from "@constellation/testing/evals";
import { describe, expect, it, onTestFinished } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Runs the demo as `npm run demo` does, with its output in pipes. */
function demo(...words: readonly string[]) {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: _,
    ANTHROPIC_API_KEY: __,
    VITEST: ___,
    ...env
  } = process.env;
  const loader = ["--conditions=@constellation/source", "--import", "tsx"];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [...loader, here("main.ts"), ...words],
      { env: { ...env, FORCE_COLOR: undefined } },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe("npm run demo", () => {
  it("names the cause, the page of the runbook, and the workflow with its gate", async () => {
    const { code, stdout, stderr } = await demo();

    expect(stderr).toContain("→ delegates to k8s and workflow-selector");
    expect(stdout).toContain("OOMKilled");
    expect(stdout).toContain("Stop the bleeding");
    expect(stdout).toContain("increase-memory-limits 1.2.0");
    expect(stdout).toContain(
      "Risk: low. Before it runs, it needs approval: it changes production.",
    );
    expect(stdout).toMatch(/TARGET_RESOURCE_NAME`?: `?"checkout"/);
    expect(stdout).toMatch(/Sources\n.*deploy\/out-of-memory\.md#Stop the bleeding/s);
    expect(stdout).toMatch(/└─ workflow-selector +[\d.]+ m?s +answer/);
    expect(stdout + stderr).not.toContain("\u001B");
    expect(code).toBe(0);
  });

  it("says that no one here knows, and exits with 1", async () => {
    const { code, stdout, stderr } = await demo("Who", "won the world cup?");

    expect(stdout + stderr).toContain("[NOT_FOUND]");
    expect(code).toBe(1);
  });
});

it("answers every question of cases.jsonl as it should", async () => {
  const { router } = await loadMesh(here("../mesh.yaml"), { env: {} });
  onTestFinished(() => router.close());
  const cases = readCases(readFileSync(here("../cases.jsonl"), "utf8"), "cases.jsonl");

  const { results } = await runEval(askRouter(router), cases);

  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(router.check()).toMatchObject({ ok: true });
});

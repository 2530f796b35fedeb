import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** Runs the demo as `npm run demo` does, with its output in pipes. */
function demo(...words: readonly string[]) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, FORCE_COLOR: __, VITEST: ___, ...env } = process.env;
  const loader = ["--conditions=@constellation/source", "--import", "@oxc-node/core/register"];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [...loader, main, ...words],
      { env, timeout: 15_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe("npm run demo", () => {
  it("answers on stdout, tells its progress on stderr, and exits with 0", async () => {
    const { code, stdout, stderr } = await demo();

    expect(code).toBe(0);
    expect(stdout).toContain("kubectl -n shop rollout undo deployment/checkout");
    expect(stdout).toContain("Sources\n");
    expect(stdout).toMatch(/├─ deploy-docs +\d+ ms {2}answer/);
    expect(stderr).toContain("→ passes it on to deploy-docs and network-docs");
    expect(stdout + stderr).not.toContain("\u001B");
  });

  it("says that there is no answer, and exits with 1", async () => {
    const { code, stdout } = await demo("How", "do I bake a cake?");

    expect(code).toBe(1);
    expect(stdout).toContain("No answer");
    expect(stdout).toContain("They are about:");
  });
});

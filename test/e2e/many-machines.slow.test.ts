import { execFile } from "node:child_process";
import { hasNatsServer } from "@constellation/nats/testing";
import { describe, expect, it } from "vitest";
import { blocksOf, root } from "../docs/markdown-blocks.js";

/** For five processes, on a machine that may be busy with other tests. */
const patienceMs = 150_000;

describe.skipIf(!hasNatsServer())("the example many-machines", { timeout: patienceMs }, () => {
  it("answers although a machine is killed, and prints what its README shows", async () => {
    const block = blocksOf("examples/many-machines/README.md").find(
      ({ language, text }) => language === "sh" && text.includes("/src/main.ts"),
    );
    const [, ...argv] = (block?.text ?? "").split(/\s+/);

    const ended = await run(argv);

    expect(ended).toEqual({ code: 0, stderr: "", stdout: expect.any(String) });
    expect(ended.stdout.trim()).toBe(block?.output?.trim());
  });
});

interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function run(argv: readonly string[]): Promise<Ended> {
  const { VITEST: _, FORCE_COLOR: __, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      argv,
      { cwd: root, env: { ...env, NO_COLOR: "1" }, timeout: patienceMs },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

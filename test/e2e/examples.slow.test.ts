import { execFile } from "node:child_process";
import { join } from "node:path";
import { installRestate } from "@constellation/restate/testing";
import { describe, expect, it } from "vitest";
import { blocksOf, root } from "../docs/markdown-blocks.js";

/*
 * Examples run as their READMEs say: the command of the first `sh` block that names a `main.ts`, which
 * checks its own result, ends with 0 and prints the output block below it. Times may differ.
 */

const examples = [
  "hello",
  "approval",
  "chat-page",
  "fan-out",
  "embed-express",
  "embed-fastify",
  "embed-hono",
  "embed-http",
  "plugin",
  "tracing",
  ...(installRestate(join(root, "examples/durable/server")) === undefined ? [] : ["durable"]), // says so itself where it cannot
];

/** For a process each, on a machine that may be busy with other tests. */
const patienceMs = 150_000;

describe("the examples", { timeout: patienceMs }, () => {
  for (const example of examples) {
    it.concurrent(`${example} finds its own result right, and prints what its README shows`, async () => {
      const block = blocksOf(`examples/${example}/README.md`).find(
        ({ language, text }) => language === "sh" && text.includes("/src/main.ts"),
      );
      const [command = "", ...argv] = (block?.text ?? "").split(/\s+/);
      expect(command).toBe("node");

      const { code, stdout, stderr } = await run(argv);

      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(withoutTimes(stdout)).toBe(withoutTimes(block?.output ?? ""));
    });
  }
});

interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** In an environment that sends nothing anywhere and shows no colour. */
function run(argv: readonly string[]): Promise<Ended> {
  const { VITEST: _, FORCE_COLOR: __, OTEL_EXPORTER_OTLP_ENDPOINT: ___, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      argv,
      { cwd: root, env: { ...env, NO_COLOR: "1" }, timeout: patienceMs },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code ?? "killed"), stdout, stderr });
      },
    );
  });
}

/** Times differ, and with them how far the words beside them stand apart. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/, blocked the event loop for [\d.]+ s/g, "")
    .replaceAll(/[\d.]+ m?s\b/g, "N ms")
    .replaceAll(/ +N ms/g, " N ms")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();
}

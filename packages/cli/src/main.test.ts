import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../test/folder.js";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const bin = fileURLToPath(new URL("../bin/constellation.js", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const loader = [
  "--conditions=@constellation/source",
  "--import",
  pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href,
];

function execute(argv: readonly string[], cwd: string) {
  const { VITEST: _, FORCE_COLOR: __, OTEL_EXPORTER_OTLP_ENDPOINT: ___, ...env } = process.env;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [...argv], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe("the process of constellation", () => {
  it("asks, and exits with the code of the answer", async () => {
    const cwd = folderWith({ ...shopMesh, "package.json": '{ "type": "module" }' });

    const { code, stdout } = await execute([...loader, main, "ask", "bread?"], cwd);

    expect([code, stdout]).toEqual([0, expect.stringContaining("**12** loaves")]);
  });

  it("explains what to do when the command is not built", async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, "bin"));
    copyFileSync(bin, join(cwd, "bin/constellation.mjs"));

    const { code, stderr } = await execute(["bin/constellation.mjs", "--help"], cwd);

    expect([code, stderr]).toEqual([
      2,
      "constellation: not built yet. Run `npm run build` in the repository first.\n",
    ]);
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith, shopMesh } from "../test/folder.js";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const loader = [
  "--conditions=@constellation/source",
  "--import",
  pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href,
];

const slowMesh = {
  "package.json": '{ "type": "module" }',
  "mesh.yaml": "librarians: [{ use: ./slow.js }]",
  "slow.js": `export const createLibrarian = () => ({
    id: "slow",
    description: "Takes its time.",
    librarian: (query, { signal }) =>
      new Promise((resolve, reject) => {
        if (query === "long") resolve({ answer: "a line\\n".repeat(100_000) });
        const timer = setTimeout(() => resolve({ answer: "late" }), 30_000);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
  });`,
};

/** The environment of a process that is not a test. */
function environment(): NodeJS.ProcessEnv {
  const { VITEST: _, FORCE_COLOR: __, OTEL_EXPORTER_OTLP_ENDPOINT: ___, ...env } = process.env;
  return env;
}

/** Starts the command from source, as `npm run demo` does. */
function start(argv: readonly string[], cwd: string): ChildProcess {
  const child = spawn(process.execPath, [...loader, main, ...argv], { cwd, env: environment() });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", resolve);
  });
}

function untilPrinted(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    child.stderr?.on("data", (chunk) => {
      if (String(chunk).includes(text)) resolve();
    });
  });
}

describe("the process of constellation", () => {
  it("asks, answers in a pipe without colour, and exits with the code of the answer", async () => {
    const cwd = folderWith({ ...shopMesh, "package.json": '{ "type": "module" }' });
    const child = start(["ask", "bread?"], cwd);
    let stdout = "";
    child.stdout?.on("data", (chunk) => {
      stdout += String(chunk);
    });

    expect(await exitOf(child)).toBe(0);
    expect(stdout).toContain("**12** loaves");
    expect(stdout).not.toContain("\u001b");
    expect(await exitOf(start(["ask", "milk?"], cwd))).toBe(1);
    expect(await exitOf(start(["ask", "--mesh", "none.yaml", "?"], cwd))).toBe(2);
  });

  it("cancels the run on Ctrl-C, and exits with 130", async () => {
    const child = start(["ask", "?"], folderWith(slowMesh));

    await untilPrinted(child, "started");
    child.kill("SIGINT");

    expect(await exitOf(child)).toBe(130);
  });

  it("ends quietly when its output is closed", async () => {
    const child = start(["ask", "-q", "long"], folderWith(slowMesh));
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += String(chunk);
    });
    child.stdout?.once("data", () => child.stdout?.destroy());

    expect(await exitOf(child)).toBe(141);
    expect(stderr).toBe("");
  });

  it.runIf(existsSync("/dev/full"))("says why its output cannot be written", async () => {
    const cwd = folderWith({ ...shopMesh, "package.json": '{ "type": "module" }' });
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const child = spawn(process.execPath, [...loader, main, "ask", "-q", "bread?"], {
      cwd,
      env: environment(),
      stdio: ["ignore", full, "pipe"],
    });
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += String(chunk);
    });

    expect(await exitOf(child)).toBe(1);
    expect(stderr).toBe("error: stdout cannot be written (ENOSPC).\n");
  });

  it("stops serving on SIGTERM with what it was doing done, and exits with 0", async () => {
    const child = start(["serve", "--port", "0"], folderWith(slowMesh));

    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill("SIGTERM");

    expect(await exitOf(child)).toBe(0);
  });
});

import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFileBounded } from "./read-file-bounded.js";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bounded-"));
});

afterAll(() => rm(folder, { recursive: true }));

describe("readFileBounded", () => {
  it("reads a file whole, up to the very limit", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "x".repeat(600_000));

    const bytes = await readFileBounded(path, { maxBytes: 600_000 });
    expect(bytes.toString()).toBe("x".repeat(600_000));
  });

  it("refuses a file that is larger", async () => {
    const path = join(folder, "large.txt");
    await writeFile(path, "12345");

    await expect(
      readFileBounded(path, { maxBytes: 4, shownAs: "large.txt" }),
    ).rejects.toMatchObject({
      refusal: "too-large",
      message: "large.txt: has 5 bytes; at most 4 are read.",
    });
  });

  it.runIf(process.platform !== "win32")("refuses a FIFO at once, by name", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);

    await expect(readFileBounded(path, { maxBytes: 10 })).rejects.toMatchObject({
      refusal: "not-regular",
      message: `${path}: is a FIFO, not a file.`,
    });
  });

  it.runIf(process.platform !== "win32")("refuses a device and a directory", async () => {
    await expect(readFileBounded("/dev/zero", { maxBytes: 10 })).rejects.toThrow("is a device");
    await expect(readFileBounded(folder, { maxBytes: 10 })).rejects.toThrow("is a directory");
  });

  it.runIf(process.platform === "linux")("refuses what has more bytes than its size", async () => {
    await expect(
      readFileBounded("/proc/self/environ", { maxBytes: 1_000_000 }),
    ).rejects.toMatchObject({
      refusal: "grew",
    });
  });

  it("keeps the error of Node.js for a missing file, and ends with its signal", async () => {
    const missing = join(folder, "missing");

    await expect(readFileBounded(missing, { maxBytes: 1 })).rejects.toMatchObject({
      code: "ENOENT",
    });
    const signal = AbortSignal.abort();
    await expect(readFileBounded(missing, { maxBytes: 1, signal })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
  });
});

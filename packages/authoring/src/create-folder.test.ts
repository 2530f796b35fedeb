import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFolder } from "./create-folder.js";

describe("createFolder", () => {
  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "folder-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  it("creates the missing folders above it, and returns the topmost", () => {
    const folder = newFolder();

    expect(createFolder(join(folder, "a", "b"), 0o700)).toBe(join(folder, "a"));

    expect(statSync(join(folder, "a", "b")).mode & 0o777).toBe(0o700);
    expect(createFolder(join(folder, "a", "b"))).toBeUndefined();
  });

  it("throws where a file is in the way", () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");

    const inTheWay = expect.objectContaining({ code: "EEXIST", path: file });
    expect(() => createFolder(file)).toThrow(inTheWay);
    expect(() => createFolder(join(file, "a"))).toThrow(inTheWay);
  });

  it.runIf(existsSync("/proc/self"))("throws where a file system takes no folders", () => {
    expect(() => createFolder("/proc/constellation/a")).toThrow("/proc/constellation");
  });
});

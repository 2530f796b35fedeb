import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openKeptVectors } from "./kept-vectors.js";

const vector = Float32Array.of(0.6, 0.8);

async function emptyFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vectors-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "below", "model.vectors");
}

describe("openKeptVectors", () => {
  it("finds after a restart what was added, and no text is in the file", async () => {
    const file = await emptyFile();
    const first = await openKeptVectors(file, 2);
    await first.add(["restart checkout", "other"], [vector, Float32Array.of(1, 0)]);

    const second = await openKeptVectors(file, 2);

    expect(second.find("restart checkout")).toEqual(vector);
    expect(second.find("restart")).toBeUndefined();
    expect((await readFile(file)).includes("restart")).toBe(false);
  });

  it("drops a record that was cut short, and adds behind those before it", async () => {
    const file = await emptyFile();
    await (await openKeptVectors(file, 2)).add(["one"], [vector]);
    await appendFile(file, "torn");

    await (await openKeptVectors(file, 2)).add(["two"], [vector]);

    const reopened = await openKeptVectors(file, 2);
    expect(reopened.find("one")).toEqual(vector);
    expect(reopened.find("two")).toEqual(vector);
  });

  it("keeps for this run what cannot be written", async () => {
    const kept = await openKeptVectors("/dev/null/model.vectors", 2);

    await kept.add(["one"], [vector]);

    expect(kept.find("one")).toEqual(vector);
  });
});

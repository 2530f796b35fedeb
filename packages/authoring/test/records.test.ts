import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRecordFile, redactJson } from "@constellation/authoring";
import { describe, expect, it, onTestFinished } from "vitest";
import { limitDisk } from "./limited-disk.js";

const password = ["hunter2", "hunter2"].join("");
const randomKey = ["7f3kq99x", "c0ffee12", "8d1b7a2e"].join("");
const large = { text: "word ".repeat(1_000) };

describe("redactJson", () => {
  it("hides secrets in texts, under names, in variables and in Secrets, and keeps the rest", () => {
    const value = {
      log: `login with password=${password} failed`,
      nested: [{ apiKey: password }, { name: "DB_PASSWORD", value: password }],
      secret: { kind: "Secret", metadata: { name: "db" }, data: { url: "aHVudGVyMg==" } },
      [`postgres://app:${password}@db`]: 1,
      pwd: 12345678,
      tokens: 12,
      secretName: "db-credentials",
      token: null,
      secrets: [password, { name: "db" }],
      accessToken: { value: password, expiresIn: 60 },
      headers: [
        ["x-api-key", password],
        ["accept", "*/*"],
      ],
      stripeKey: randomKey,
      cacheKey: randomKey,
    };

    expect(JSON.parse(redactJson(value))).toEqual({
      log: "login with password=[REDACTED] failed",
      nested: [{ apiKey: "[REDACTED]" }, { name: "DB_PASSWORD", value: "[REDACTED]" }],
      secret: { kind: "Secret", metadata: { name: "db" }, data: { url: "[REDACTED]" } },
      "postgres://[REDACTED]@db": 1,
      pwd: "[REDACTED]",
      tokens: 12,
      secretName: "db-credentials",
      token: null,
      secrets: ["[REDACTED]", { name: "db" }],
      accessToken: { value: "[REDACTED]", expiresIn: 60 },
      headers: [
        ["x-api-key", "[REDACTED]"],
        ["accept", "*/*"],
      ],
      stripeKey: "[REDACTED]",
      cacheKey: randomKey,
    });
  });
});

describe("openRecordFile", () => {
  it("takes back what a full disk cut short, rejects, reports it once, and recovers", async () => {
    const path = join(temporary(), "records.jsonl");
    const problems: string[] = [];
    const file = openRecordFile(path, { onProblem: (problem) => problems.push(problem) });
    await file.append({ at: 1 });
    const disk = await limitDisk();
    disk.freeBytes = 10;
    const refused = await Promise.allSettled(
      [2, 3].map(async (at) => file.append({ at, ...large })),
    );
    const refusedLater = await Promise.allSettled([file.append({ at: 4, ...large })]);
    const whileFull = readFileSync(path, "utf8");
    disk.freeBytes = Number.POSITIVE_INFINITY;
    await file.append({ at: 5 });

    expect([...refused, ...refusedLater].map(({ status }) => status)).toEqual(
      Array(3).fill("rejected"),
    );
    expect(whileFull).toBe('{"at":1}\n');
    expect(await linesOf(file)).toEqual(['{"at":1}', '{"at":5}']);
    expect(problems).toEqual([
      expect.stringContaining("no space left on device"),
      expect.stringContaining("Not stored: 3."),
    ]);
  });

  it("puts full files aside, reads them in order, and removes the oldest beyond its size", async () => {
    const folder = temporary();
    const file = openRecordFile(join(folder, "r.jsonl"), { maxFileBytes: 100, maxBytes: 500 });
    for (let at = 100; at < 140; at++) await file.append({ at, text: "x".repeat(20) });
    const kept = (await linesOf(file)).map((line) => JSON.parse(line).at);

    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual(
      Array.from({ length: kept.length }, (_, index) => 140 - kept.length + index),
    );
    expect(bytesIn(folder)).toBeLessThanOrEqual(500);
  });

  it("removes files that were put aside beyond their age", async () => {
    const folder = temporary();
    const path = join(folder, "r.jsonl");
    const file = openRecordFile(path, { maxFileBytes: 20, maxAgeMs: 60_000 });
    await file.append({ at: 1, text: "old" });
    await file.append({ at: 2, text: "new" });
    const [aside = ""] = readdirSync(folder).filter((name) => name !== "r.jsonl");
    utimesSync(join(folder, aside), 0, 0);
    await file.append({ at: 3, text: "new" });

    expect((await linesOf(file)).map((line) => JSON.parse(line).at)).toEqual([2, 3]);
  });

  it("refuses a record beyond its size, and leaves out a line that is", async () => {
    const path = join(temporary(), "r.jsonl");
    writeFileSync(path, `${"x".repeat(2_000)}\n{"at":1}\n`);
    const file = openRecordFile(path, { maxRecordBytes: 1_000 });

    await expect(file.append(large)).rejects.toThrow(/at most 1000/);
    expect(await linesOf(file)).toEqual(['{"at":1}']);
  });
});

async function linesOf(file: { lines(): AsyncIterable<string> }): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of file.lines()) lines.push(line);
  return lines;
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

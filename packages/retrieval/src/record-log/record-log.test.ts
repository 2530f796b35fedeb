import { appendFile, mkdtemp, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordCodec } from "./frame.js";
import { openRecordLog, type RecordLog } from "./record-log.js";

let folder: string;
const opened: RecordLog<string>[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "record-log-"));
});
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
  await rm(folder, { recursive: true, force: true });
});

const codec: RecordCodec<string> = {
  magic: "TESTLOG1",
  encode: (record) => Buffer.from(record),
  decode: (payload) => payload.toString(),
};

async function open(): Promise<{ log: RecordLog<string>; applied: string[] }> {
  const applied: string[] = [];
  const log = await openRecordLog<string>(join(folder, "data.log"), join(folder, "lock"), {
    codec,
    onOpen: async () => {
      applied.length = 0;
      return undefined;
    },
    apply: ({ record }) => void applied.push(record),
  });
  opened.push(log);
  return { log, applied };
}

async function close(log: RecordLog<string>): Promise<void> {
  opened.splice(opened.indexOf(log), 1);
  await log.close();
}

const path = (): string => join(folder, "data.log");

describe("openRecordLog", () => {
  it("applies what was appended, in order, after it is opened again", async () => {
    const { log, applied } = await open();
    await log.openForWriting();
    await log.append(["a", "b"]);
    await log.append(["c"]);
    expect(applied).toEqual(["a", "b", "c"]);
    await close(log);

    expect((await open()).applied).toEqual(["a", "b", "c"]);
  });

  it("loses the record that was cut short, and neither those before it nor those after", async () => {
    const { log } = await open();
    await log.openForWriting();
    await log.append(["a", "b", "a longer record"]);
    await close(log);
    await truncate(path(), (await stat(path())).size - 3);

    const second = await open();
    await second.log.openForWriting();
    await second.log.append(["d"]);
    await close(second.log);

    expect((await open()).applied).toEqual(["a", "b", "d"]);
  });

  it("refuses a damaged record with others behind it", async () => {
    const { log } = await open();
    await log.openForWriting();
    await log.append(["a"]);
    await close(log);
    await appendFile(path(), "x".repeat(100));

    await expect(open()).rejects.toMatchObject({ name: "StoreError", reason: "corrupt" });
  });

  it("gives one process the right to write, and shows others what it has written", async () => {
    const writer = await open();
    const reader = await open();
    await writer.log.openForWriting();
    await writer.log.append(["a"]);

    await reader.log.catchUp();

    expect(reader.applied).toEqual(["a"]);
    await expect(reader.log.openForWriting()).rejects.toMatchObject({ reason: "locked" });
  });

  it("drops what no longer counts, and gives the new places of the rest", async () => {
    const { log } = await open();
    await log.openForWriting();
    await log.append(["a", "b", "c"]);

    const { places } = await log.compact((record) => record !== "a");
    await close(log);

    const second = await open();
    expect(second.applied).toEqual(["b", "c"]);
    expect(await second.log.read([...places.values()])).toEqual(["b", "c"]);
  });
});

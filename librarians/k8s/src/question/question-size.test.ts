import { describe, expect, it } from "vitest";
import { now, shop } from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

const length = 100_000;
const { librarian } = createK8sLibrarian({
  reader: createInMemoryReader({ objects: shop(), now }),
});

/** Processor time of this process, in milliseconds: not more on a busy machine. */
function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

describe("a question of 100,000 characters", () => {
  it.each([
    ..."aA0-_.:/= \t\n`\"'([<@,?",
    "A-",
    "s-cc",
    "past\t",
    "p no pod ",
    "node a ",
    "run-",
    "a@a.",
    "pod/a ",
    "checkout-",
    "in A",
    "eyJaaaaaaaa",
    "namespace ",
    "checkout crash pod ",
    "last 1",
    "cookie:",
  ])("of %j takes less than a second", async (piece) => {
    const query = piece.repeat(length / piece.length);
    await librarian("Why does checkout restart?");
    const start = process.cpuUsage();

    await librarian(`x${query}\0`);

    expect(cpuMs(start)).toBeLessThan(1_000);
  });

  it("is answered by what is at its end", async () => {
    const log = "2026-03-01 INFO served /index.html in 3 ms\n".repeat(length / 43);

    const { answer } = await librarian(`${log}\nWhy does checkout restart?`);

    expect(answer).toContain("OOMKilled");
  });

  it("names things in no more than its first sixty names", async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `thing-${at}`).join(" ");

    const { error } = await librarian(names);

    expect(error?.code).toBe("NOT_FOUND");
  });
});

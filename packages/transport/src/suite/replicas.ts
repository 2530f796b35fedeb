import { setTimeout } from "node:timers/promises";
import type { Librarian } from "@constellation/core";
import { expect, it } from "vitest";
import { type SuiteMesh, type TransportProcess, untilPresent } from "./suite-mesh.js";

/** Several processes that serve the same librarian. */
export function itSharesCalls(mesh: SuiteMesh): void {
  it("shares the calls of a librarian among the processes that serve it", async () => {
    for (const name of ["one", "two"]) {
      await mesh.start({ docs: async () => ({ answer: name }) });
    }
    const { router } = await mesh.start({});
    await untilPresent(router, "docs");

    const asked = Array.from({ length: 60 }, () => router.ask("q", { to: "docs" }));
    const answers = (await Promise.all(asked)).map(({ answer }) => answer);

    expect(new Set(answers)).toEqual(new Set(["one", "two"]));
  });

  it("asks another process for a read when the one that works on it is lost", async () => {
    const { router } = await mesh.start({});
    const processes: TransportProcess[] = [];
    const workers: number[] = [];
    for (const index of [0, 1]) {
      const { process } = await mesh.start({
        docs: async () => {
          workers.push(index);
          if (workers.length === 1) {
            await processes[index]?.crash();
            await new Promise(() => {});
          }
          return { answer: "so" };
        },
      });
      processes.push(process);
    }
    await untilPresent(router, "docs");

    expect((await router.ask("q", { to: "docs" })).answer).toBe("so");
    expect(new Set(workers).size).toBe(2);
  });

  it("reports a write whose process is lost, and never repeats it", async () => {
    const { router } = await mesh.start({});
    const processes: TransportProcess[] = [];
    let calls = 0;
    for (const index of [0, 1]) {
      const librarian: Librarian = async () => {
        calls++;
        await processes[index]?.crash();
        return new Promise(() => {});
      };
      processes.push((await mesh.start({ deploy: librarian }, {}, { effects: "write" })).process);
    }
    await untilPresent(router, "deploy");

    const { error } = await router.ask("q", { to: "deploy" });

    expect(error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { reason: "remote-lost" },
      message: expect.stringContaining("may have completed"),
    });
    expect(calls).toBe(1);
  });

  it("answers a call that comes again with its first result", async () => {
    let calls = 0;
    await mesh.start({
      docs: async () => {
        calls++;
        return { answer: `answer ${calls}` };
      },
    });
    const { process, router } = await mesh.start({});
    await untilPresent(router, "docs");
    const call = {
      librarian: "docs",
      effects: "read" as const,
      query: "q",
      envelope: { v: 1 as const, path: [], requestId: `request-${mesh.name}` },
      signal: new AbortController().signal,
    };

    const first = await process.transport.call(call);
    await setTimeout(100); // a link that doubles messages may bring the first reply once more
    const second = await process.transport.call(call);

    expect(first).toMatchObject({ response: { answer: "answer 1" } });
    expect(second).toMatchObject({ response: { answer: "answer 1" }, repeat: true });
    expect(calls).toBe(1);
  });
}

import type { Librarian } from "@constellation/core";
import { expect, it } from "vitest";
import { type SuiteMesh, untilPresent } from "./suite-mesh.js";

/** Writes are done once, whatever messages are lost. */
export function itWritesOnce(mesh: SuiteMesh): void {
  it.each([
    ["asked", async (_query: string, context) => context?.ask?.("q", { to: "deploy" })],
    ["delegated to", async () => ({ delegate: { to: "deploy" } })],
  ] satisfies [string, (...given: Parameters<Librarian>) => unknown][])(
    "does not repeat a read that has %s a librarian that writes, when its process is lost",
    async (_how, passOn) => {
      let written = () => {};
      const writing = new Promise<void>((resolve) => (written = resolve));
      let writes = 0;
      await mesh.start(
        {
          deploy: async () => {
            writes++;
            written();
            return new Promise(() => {});
          },
        },
        {},
        { effects: "write" },
      );
      const asked: number[] = [];
      const agents = await Promise.all(
        [0, 1].map((index) =>
          mesh.start({
            agent: async (query, context) => {
              asked.push(index);
              return (await passOn(query, context)) ?? { answer: "so" };
            },
          }),
        ),
      );
      for (const { router } of agents) await untilPresent(router, "deploy");
      const { router } = await mesh.start({});
      await untilPresent(router, "agent");
      await untilPresent(router, "deploy");
      expect(router.check().warnings.map(({ ids }) => ids)).toContainEqual(["agent", "deploy"]);

      const asking = router.ask("q", { to: "agent" });
      await writing;
      await agents[asked[0] ?? 0]?.process.crash();
      const { error } = await asking;

      expect(error).toMatchObject({
        code: "SERVICE_UNAVAILABLE",
        recoverable: false,
        details: { reason: "remote-lost", outcome: "unknown" },
      });
      expect(asked).toHaveLength(1);
      expect(writes).toBe(1);
    },
  );

  it("writes once for each idempotency key, and answers the same again", async () => {
    let writes = 0;
    for (let index = 0; index < 2; index++) {
      const deploy = async () => ({ answer: `change ${++writes}` });
      await mesh.start({ deploy }, {}, { effects: "write" });
    }
    const { router } = await mesh.start({});
    await untilPresent(router, "deploy");
    const ask = (idempotencyKey: string) => router.ask("q", { to: "deploy", idempotencyKey });

    expect((await ask("first")).answer).toBe("change 1");
    expect((await ask("first")).answer).toBe("change 1");
    expect((await ask("second")).answer).toBe("change 2");
    expect(writes).toBe(2);
  });

  it("asks another process when the first one has stopped a read by itself", async () => {
    let begun = () => {};
    const working = new Promise<void>((resolve) => (begun = resolve));
    const first = await mesh.start({
      docs: () => {
        begun();
        return new Promise(() => {});
      },
    });
    const { router } = await mesh.start({});
    await untilPresent(router, "docs");

    const asking = router.ask("q", { to: "docs" });
    await working;
    const { process } = await mesh.start({ docs: async () => ({ answer: "so" }) });
    await expect.poll(() => process.transport.replicas("docs").length, { timeout: 20_000 }).toBe(2);
    await expect
      .poll(async () => JSON.stringify(await router.health()), { timeout: 20_000 })
      .toContain("2 processes");
    await first.router.close({ timeoutMs: 1_000 });

    expect((await asking).answer).toBe("so");
  });
}

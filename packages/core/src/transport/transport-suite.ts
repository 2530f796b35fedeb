import { afterEach, describe, expect, it } from "vitest";
import type { Librarian } from "../contract/librarian.js";
import { createRouter, type Router } from "../router/create-router.js";
import type { RouterOptions } from "../router/options.js";
import { type ServeLibrariansOptions, serveLibrarians } from "./serve-librarians.js";
import type { Transport } from "./transport.js";

/** One process of a mesh, as the suite starts it. */
export interface TransportProcess {
  readonly transport: Transport;
  /** Ends it as a crash would: nothing is sent any more, not even that it is gone. */
  crash(): Promise<void>;
}

/** What {@link testTransport} needs. */
export interface TransportSuiteOptions {
  /**
   * Starts a process of the mesh that this test uses, with a heartbeat of 50 ms, loss after 300 ms and
   * presence every 100 ms. All of one test share their mesh, those of different tests do not.
   *
   * @param mesh - Name of the mesh.
   */
  readonly start: (mesh: string) => Promise<TransportProcess>;
}

/** Runs the contract of a transport as tests: call it within a test file. */
export function testTransport(name: string, { start }: TransportSuiteOptions): void {
  const cleanUp: (() => unknown)[] = [];
  let meshes = 0;
  let mesh = "";

  afterEach(async () => {
    for (const each of cleanUp.splice(0).toReversed()) await each();
    mesh = "";
  });

  /** A process that serves librarians by id, and asks others. */
  async function processWith(
    librarians: Readonly<Record<string, Librarian>>,
    options: RouterOptions = {},
    serving: ServeLibrariansOptions & { readonly effects?: "read" | "write" } = {},
  ): Promise<{ readonly router: Router; readonly process: TransportProcess }> {
    mesh ||= `mesh-${++meshes}-${Math.random().toString(36).slice(2, 10)}`;
    const process = await start(mesh);
    const { effects = "read", ...rest } = serving;
    const router = createRouter({ ...options, transport: process.transport });
    for (const [id, librarian] of Object.entries(librarians)) {
      router.register({ id, description: `answers as ${id}`, librarian, effects });
    }
    serveLibrarians(router, process.transport, { librarians: Object.keys(librarians), ...rest });
    cleanUp.push(() => router.close());
    await router.open();
    return { router, process };
  }

  async function untilPresent(router: Router, id: string): Promise<void> {
    await expect
      .poll(() => router.list().some((librarian) => librarian.id === id), { timeout: 20_000 })
      .toBe(true);
  }

  describe(`the transport contract, over ${name}`, () => {
    it("brings back the whole response, metadata too, as it was given", async () => {
      const response = {
        answer: "é \u2028 <b>as it is</b>",
        confidence: 0.8,
        sources: [{ name: "a", url: "https://example.com/a", relevance: 1 }],
        metadata: {
          workflowSelection: { workflow: "restart", parameters: { replicas: 3, ratio: 1e-7 } },
          facts: [0, 2 ** 53 - 1, null, [], {}, "\u2028"],
        },
      };
      await processWith({ selector: async () => response });
      const { router } = await processWith({});
      await untilPresent(router, "selector");

      expect(await router.ask("what now?", { to: "selector" })).toEqual(response);
    });

    it("brings query, user, metadata and trace to the other process", async () => {
      const seen: unknown[] = [];
      const librarian: Librarian = async (query, context) => {
        seen.push(query, context?.user, context?.metadata);
        return { answer: "so" };
      };
      await processWith({ docs: librarian }, {}, { trustedPeers: "all" });
      const { router } = await processWith({});
      await untilPresent(router, "docs");

      await router.ask("why?", { to: "docs", user: { id: "ada" }, metadata: { alert: { x: 1 } } });

      expect(seen).toEqual(["why?", { id: "ada" }, { alert: { x: 1 } }]);
    });

    it("has no user where the calling process is not trusted", async () => {
      let user: unknown;
      await processWith({
        docs: async (_query, context) => {
          user = context?.user;
          return { answer: "so" };
        },
      });
      const { router } = await processWith({});
      await untilPresent(router, "docs");

      expect((await router.ask("q", { to: "docs", user: { id: "ada" } })).answer).toBe("so");
      expect(user).toBeUndefined();
    });

    it("detects a loop through three processes, and calls each librarian once", async () => {
      const calls: string[] = [];
      const passesTo =
        (id: string, to: string): Librarian =>
        async () => {
          calls.push(id);
          return { delegate: { to } };
        };
      const { router } = await processWith({ a: passesTo("a", "b") });
      const second = await processWith({ b: passesTo("b", "c") });
      const third = await processWith({ c: passesTo("c", "a") });
      await untilPresent(router, "b");
      await untilPresent(second.router, "c");
      await untilPresent(third.router, "a");

      const { error } = await router.ask("who knows?", { to: "a" });

      expect(error).toMatchObject({
        code: "LOOP_DETECTED",
        details: { path: ["a", "b", "c", "a"].map((id) => `${mesh}/${id}`) },
      });
      expect(calls).toEqual(["a", "b", "c"]);
    });

    it("ends in the other process no later than in this one, and names what ignored that", async () => {
      let remaining = Number.POSITIVE_INFINITY;
      let release = () => {};
      await processWith({
        stubborn: (_query, context) => {
          remaining = context?.remainingMs?.() ?? remaining;
          return new Promise((resolve) => {
            release = () => resolve({ answer: "late" });
          });
        },
      });
      const { router } = await processWith({});
      await untilPresent(router, "stubborn");

      const run = router.start("q", { to: "stubborn", timeoutMs: 1_500 });
      const { error } = await run.response;

      expect(error?.code).toBe("TIMEOUT");
      expect(remaining).toBeLessThan(1_500);
      // On a busy machine the report comes after the response.
      await expect
        .poll(() => run.explain().hops[0]?.remoteUnsettled, { timeout: 20_000 })
        .toMatchObject([{ librarian: "stubborn", mesh }]);
      release();
    });

    it("cancels in the other process when the caller cancels", async () => {
      let begun = () => {};
      const working = new Promise<void>((resolve) => (begun = resolve));
      let stopped = () => {};
      const cancelled = new Promise<void>((resolve) => (stopped = resolve));
      await processWith({
        slow: (_query, context) =>
          new Promise((resolve) => {
            context?.signal?.addEventListener("abort", () => {
              stopped();
              resolve({ answer: "stopped" });
            });
            begun();
          }),
      });
      const { router } = await processWith({});
      await untilPresent(router, "slow");

      const run = router.start("q", { to: "slow" });
      await working;
      run.cancel();

      expect((await run.response).error?.details?.reason).toBe("cancelled");
      await cancelled;
    });

    it("reports progress while the other process works", async () => {
      await processWith({
        busy: async (_query, context) => {
          context?.report?.("half of it");
          return { answer: "so" };
        },
      });
      const { router } = await processWith({});
      await untilPresent(router, "busy");
      const lines: unknown[] = [];
      router.on("hop:progress", ({ progress }) => void lines.push(progress));

      await router.ask("q", { to: "busy" });

      expect(lines).toEqual([{ message: "half of it" }]);
    });

    it("carries a reply that is larger than a message", async () => {
      const blob = "x".repeat(5_000_000);
      await processWith({ large: async () => ({ answer: "so", metadata: { blob } }) });
      const { router } = await processWith({});
      await untilPresent(router, "large");

      const { metadata } = await router.ask("q", { to: "large" });

      expect(metadata?.blob === blob).toBe(true);
    });

    it("is SERVICE_UNAVAILABLE at once where no process serves the librarian any more", async () => {
      const { process } = await processWith({ docs: async () => ({ answer: "so" }) });
      const { router } = await processWith({});
      await untilPresent(router, "docs");
      await process.crash();

      const { error } = await router.ask("q", { to: "docs" });

      expect(error?.code).toBe("SERVICE_UNAVAILABLE");
    });

    it("shares the calls of a librarian among the processes that serve it", async () => {
      for (const name of ["one", "two"]) {
        await processWith({ docs: async () => ({ answer: name }) });
      }
      const { router } = await processWith({});
      await untilPresent(router, "docs");

      const asked = Array.from({ length: 60 }, () => router.ask("q", { to: "docs" }));
      const answers = (await Promise.all(asked)).map(({ answer }) => answer);

      expect(new Set(answers)).toEqual(new Set(["one", "two"]));
    });

    it("asks another process for a read when the one that works on it is lost", async () => {
      const { router } = await processWith({});
      const processes: TransportProcess[] = [];
      const workers: number[] = [];
      for (const index of [0, 1]) {
        const { process } = await processWith({
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
      const { router } = await processWith({});
      const processes: TransportProcess[] = [];
      let calls = 0;
      for (const index of [0, 1]) {
        const librarian: Librarian = async () => {
          calls++;
          await processes[index]?.crash();
          return new Promise(() => {});
        };
        processes.push(
          (await processWith({ deploy: librarian }, {}, { effects: "write" })).process,
        );
      }
      await untilPresent(router, "deploy");

      const { error } = await router.ask("q", { to: "deploy" });

      expect(error).toMatchObject({
        code: "SERVICE_UNAVAILABLE",
        details: { reason: "remote-lost" },
        message: expect.stringContaining("may have been done"),
      });
      expect(calls).toBe(1);
    });

    it("answers a call that comes again with its first result", async () => {
      let calls = 0;
      await processWith({
        docs: async () => {
          calls++;
          return { answer: `answer ${calls}` };
        },
      });
      const { process, router } = await processWith({});
      await untilPresent(router, "docs");
      const call = {
        librarian: "docs",
        effects: "read" as const,
        query: "q",
        envelope: { v: 1 as const, path: [], requestId: `request-${mesh}` },
        signal: new AbortController().signal,
      };

      const first = await process.transport.call(call);
      const second = await process.transport.call(call);

      expect(first).toMatchObject({ response: { answer: "answer 1" } });
      expect(second).toMatchObject({ response: { answer: "answer 1" }, repeat: true });
      expect(calls).toBe(1);
    });

    it("ends the calls in progress before it closes, and takes no more", async () => {
      let begun = () => {};
      const working = new Promise<void>((resolve) => (begun = resolve));
      let finish = () => {};
      const { process } = await processWith({
        docs: () =>
          new Promise((resolve) => {
            finish = () => resolve({ answer: "so" });
            begun();
          }),
      });
      const { router } = await processWith({});
      await untilPresent(router, "docs");

      const answering = router.ask("q", { to: "docs" });
      await working;
      const closed = process.transport.close();
      await expect.poll(() => router.list().map(({ id }) => id)).not.toContain("docs");
      finish();

      expect((await answering).answer).toBe("so");
      await closed;
    });

    it("forgets the librarians of a process that is lost", async () => {
      const { process } = await processWith({ docs: async () => ({ answer: "so" }) });
      const { router } = await processWith({});
      await untilPresent(router, "docs");
      expect(router.check().problems).toEqual([]);

      await process.crash();

      await expect
        .poll(() => router.list().map(({ id }) => id), { timeout: 20_000 })
        .not.toContain("docs");
    });
  });
}

import { createRouter, type Librarian, type RouterOptions } from "@constellation/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { processes } from "../test/linked-processes.js";
import type { Link, LinkMessage } from "./link.js";
import { decodeMessage } from "./message.js";
import { serveLibrarians } from "./serve-librarians.js";

type Start = ReturnType<typeof processes>;

/** A process that serves `deploy`, and one that only asks. Each has its own kind of link. */
async function openPair(
  librarian: Librarian,
  effects: "read" | "write",
  wrap: (link: Link) => Link,
  options: RouterOptions = {},
) {
  let isServer = true;
  const start: Start = processes((link) => (isServer ? wrap(link) : link));
  const there = (await start("pair")).transport;
  isServer = false;
  const here = (await start("pair")).transport;
  const [server, client] = [
    createRouter({ transport: there }),
    createRouter({ ...options, transport: here }),
  ];
  server.register({ id: "deploy", description: "changes something", librarian, effects });
  serveLibrarians(server, there);
  for (const router of [server, client]) {
    await router.open();
    onTestFinished(() => router.close({ timeoutMs: 200 }));
  }
  return { client, here };
}

/** Holds some of the messages that a process receives back, as a frozen process does. */
function createHold(isHeld: (type: unknown) => boolean) {
  const held: (() => void)[] = [];
  let isFrozen = true;
  const wrap = (link: Link): Link => ({
    ...link,
    get isConnected() {
      return link.isConnected;
    },
    subscribe: (subject, onMessage, group) =>
      link.subscribe(
        subject,
        (message: LinkMessage) => {
          const type = decodeMessage(message.payload)?.header.t;
          if (isFrozen && isHeld(type)) held.push(() => onMessage(message));
          else onMessage(message);
        },
        group,
      ),
  });
  return {
    wrap,
    held,
    release() {
      isFrozen = false;
      for (const deliver of held.splice(0)) deliver();
    },
  };
}

describe("a call that is long on its way", () => {
  it.each(["read", "write"] as const)(
    "does not begin after its deadline: a %s",
    async (effects) => {
      const librarian = vi.fn(async () => ({ answer: "so" }));
      const hold = createHold((type) => type === "call" || type === "check");
      const { client } = await openPair(librarian, effects, hold.wrap);

      const { error } = await client.ask("q", { to: "deploy", timeoutMs: 400 });
      hold.release();
      await new Promise((resolve) => setTimeout(resolve, 50));

      expect(error?.code).toBe("TIMEOUT");
      expect(librarian).not.toHaveBeenCalled();
    },
  );

  it("is certainly not done when the caller of a write has given up first", async () => {
    const librarian = vi.fn(async () => ({ answer: "so" }));
    let isAsked = false;
    // It answers until the call is sent, so that it is chosen.
    const hold = createHold((type) => {
      if (type === "call") isAsked = true;
      return isAsked;
    });
    const { client, here } = await openPair(librarian, "write", hold.wrap);

    const { error } = await client.ask("q", { to: "deploy", idempotencyKey: "the change" });
    expect(error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { reason: "remote-lost", outcome: "not-done" },
    });
    hold.release();
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(librarian).not.toHaveBeenCalled();
    expect(await here.outcome("deploy", "the change")).toEqual({ state: "not-done" });
    expect(await here.outcome("deploy", "another change")).toEqual({ state: "unknown" });
  });
});

describe("the outcome of a write", () => {
  it("is the response, once it is done", async () => {
    const { client, here } = await openPair(
      async () => ({ answer: "so" }),
      "write",
      (link) => link,
    );

    await client.ask("q", { to: "deploy", idempotencyKey: "the change" });

    await expect
      .poll(() => here.outcome("deploy", "the change"))
      .toMatchObject({ state: "done", response: { answer: "so" } });
  });
});

describe("a write that cannot be claimed", () => {
  it("is an error that says why, a warning for the operator, and not begun", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    const librarian = vi.fn(async () => ({ answer: "so" }));
    const { client } = await openPair(librarian, "write", (link) => ({
      ...link,
      get isConnected() {
        return link.isConnected;
      },
      claims: { ...link.claims, create: () => Promise.reject(new Error("No such bucket.")) },
    }));

    const { error } = await client.ask("q", { to: "deploy" });

    expect(error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("No such bucket."),
      details: { outcome: "not-done" },
    });
    expect(librarian).not.toHaveBeenCalled();
    expect(String(warned.mock.calls[0]?.[0])).toContain("No such bucket.");
  });
});

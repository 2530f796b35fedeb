import { createRouter } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { recordEvents } from "./event-log.js";

function routerWithEcho() {
  const router = createRouter();
  router.register({
    id: "echo",
    description: "repeats",
    librarian: async (query, context) => {
      context?.report?.("thinking");
      return { answer: query };
    },
  });
  return router;
}

describe("recordEvents", () => {
  it("keeps every event in the order they came", async () => {
    const router = routerWithEcho();
    const log = recordEvents(router);

    await router.ask("hello");

    expect(log.types).toEqual(["run:start", "hop:start", "hop:progress", "hop:end", "run:end"]);
    expect(log.events.map(({ type }) => type)).toEqual(log.types);
  });

  it("gives the events of one name, with what they say", async () => {
    const router = routerWithEcho();
    const log = recordEvents(router);

    await router.ask("first");
    await router.ask("second");

    expect(log.of("run:end").map(({ response }) => response.answer)).toEqual(["first", "second"]);
    expect(log.of("hop:late")).toEqual([]);
  });

  it("keeps what it has when it is stopped, and observes no more", async () => {
    const router = routerWithEcho();
    const log = recordEvents(router);
    await router.ask("first");

    log.stop();
    log.stop();
    await router.ask("second");

    expect(log.of("run:start").map(({ query }) => query)).toEqual(["first"]);
  });
});

import { type DelegateRequest, validateResponse } from "@constellation/core";
import { testContext } from "@constellation/core/testing";
import { describe, expect, it } from "vitest";
import { frontDesk } from "./front-desk.js";

const bakery = { id: "bakery", description: "Bakes bread, rolls and cakes in the town." };
const library = { id: "library", description: "Lends novels and maps in the town." };
const availableDelegates = [bakery, library];

async function delegatesFor(query: string): Promise<readonly DelegateRequest[]> {
  const { delegate = [] } = await frontDesk(query, testContext({ availableDelegates }));
  return [delegate].flat();
}

describe("frontDesk", () => {
  it("passes a question to the one whose words it has, saying why", async () => {
    expect(await delegatesFor("Who lends maps?")).toEqual([
      {
        to: "library",
        context: { reason: "it knows about lends, maps" },
      },
    ]);
  });

  it("passes each part of a question to whom it is for", async () => {
    const delegates = await delegatesFor(
      "Do you have cakes today? I also look for a novel, and a map.",
    );

    expect(delegates.map(({ to, query }) => [to, query])).toEqual([
      ["bakery", "Do you have cakes today?"],
      ["library", "I also look for a novel; a map?"],
    ]);
  });

  it("does not tear a part from its subject", async () => {
    const delegates = await delegatesFor("Is there bread now and then, and which maps are there?");

    expect(delegates.map(({ query }) => query)).toEqual([
      "Is there bread now and then?",
      "which maps are there?",
    ]);
  });

  it("asks everybody when no word tells them apart", async () => {
    const delegates = await delegatesFor("What is in the town?");

    expect(delegates.map(({ to, query }) => [to, query])).toEqual([
      ["bakery", undefined],
      ["library", undefined],
    ]);
  });

  it("says so when there is nobody, and works without a context", async () => {
    const response = await frontDesk("anyone?");

    expect(validateResponse(response).valid).toBe(true);
    expect(response.error?.code).toBe("DELEGATION_FAILED");
  });
});

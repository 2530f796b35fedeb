import { expect, it } from "vitest";
import { catalogOf, entry } from "../../test/workflows.js";
import { createPostings } from "./entry-postings.js";
import { explainSignal, inOneText } from "./signals.js";
import { createTroubleMatch } from "./troubles.js";

it("an entry is made for the known trouble that it is most like", async () => {
  const description = "Raises the memory limit of a container that was OOMKilled: out of memory";
  const { workflows } = await catalogOf(entry("raise-memory", { description }));
  const match = createTroubleMatch(createPostings(workflows));
  const madeFor = (signal: string) => match(explainSignal(signal).own.map(inOneText))?.get(0) ?? 0;

  expect(madeFor("OOMKilled")).toBe(1);
  expect(madeFor("CrashLoopBackOff")).toBeLessThan(0.5);
  expect(match([])).toBeUndefined();
});

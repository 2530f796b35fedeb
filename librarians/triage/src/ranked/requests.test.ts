import { describe, expect, it } from "vitest";
import { clausesOf } from "./clauses.js";
import { requestsOf } from "./requests.js";

describe("requestsOf", () => {
  it.each([
    ["latency on search, region eu - which fix?", ["latency on search, region eu - which fix?"]],
    ["choose a fix, the image is gone", ["choose a fix, the image is gone"]],
    ["why does it fail + what is the fix", ["why does it fail", "what is the fix"]],
    ["need the notes of 5.1, and a price", ["need the notes of 5.1", "a price"]],
    ["I need the cause, the steps and the fix", ["I need the cause", "the steps", "the fix"]],
    ["It began at noon. Which pods crash?", ["It began at noon.", "Which pods crash?"]],
    ["the disk is full, the node is down", ["the disk is full", "the node is down"]],
  ])("reads the requests of %j", (query, texts) => {
    const requests = requestsOf(query, clausesOf(query));

    expect(requests.map(({ text }) => text)).toEqual(texts);
    expect(requests.map(({ start, end }) => query.slice(start, end))).toEqual(texts);
  });
});

import { expect, it } from "vitest";
import { isAsking, readClauses } from "./asking.js";

it.each([
  ["can node-a1 be drained", true],
  ["is web ready", true],
  ["cannot drain node-a1", false],
  ["can't pull the image of web", false],
])("%s: it asks, %s", (query, asks) => {
  expect(readClauses(query).map(isAsking)).toEqual([asks]);
});

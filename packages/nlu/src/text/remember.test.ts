import { expect, it } from "vitest";
import { rememberRecent } from "./remember.js";

it("reads a text once while few others are read, and again after many", () => {
  const texts: string[] = [];
  const read = rememberRecent((text) => {
    texts.push(text);
    return { length: text.length };
  });

  const first = read("why?");
  expect(read("why?")).toBe(first);
  for (let at = 0; at < 20; at++) read(`question ${at}`);
  expect(read("why?")).not.toBe(first);

  expect(texts.filter((text) => text === "why?")).toHaveLength(2);
});

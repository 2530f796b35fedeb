import { expect, it } from "vitest";
import { sketchContent } from "./sketch-content.js";

it("has the rarest words, those of most texts first, and no words of grammar", () => {
  expect(sketchContent(["The zarf is kept here.", "A zarf holds an ibrik"])).toEqual([
    "zarf",
    "ibrik",
    "holds",
    "kept",
  ]);
});

it("has at most 300 words", () => {
  expect(sketchContent(Array.from({ length: 400 }, (_, at) => `word${at}x`))).toHaveLength(300);
});

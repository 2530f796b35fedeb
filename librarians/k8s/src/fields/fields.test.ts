import { describe, expect, it } from "vitest";
import { findFields } from "./fields.js";

describe("fields that a text names", () => {
  it.each([
    [
      "kernel version, container runtime and image",
      ["kernel version", "container runtime", "image"],
    ],
    ["memory limit, node and memory limit", ["memory limit", "node"]],
    ["nothing of that", []],
  ])("%s: in its order, and the longest words first taken", (text, names) => {
    expect(findFields(text).map(({ name }) => name)).toEqual(names);
  });
});

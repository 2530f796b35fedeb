import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createDocsLibrarian } from "./docs-librarian.js";
import { type DocsLibrarianOptions, optionsSchema } from "./options.js";

const right = { root: "runbooks", description: "Runbooks." };

describe("the options of createDocsLibrarian", () => {
  it.each<[object | undefined, string]>([
    [undefined, "options: expected an object, got undefined."],
    [
      { description: "x" },
      "root: expected the path of a folder, or `pages` instead of it, got undefined.",
    ],
    [{ ...right, root: 42 }, "root: expected the path of a folder, got 42."],
    [
      { ...right, description: undefined },
      "description: expected a sentence about the pages, got undefined.",
    ],
    [{ ...right, folder: "x" }, 'options: unknown key "folder".'],
    [
      { ...right, limits: { maxFiles: "10" } },
      'limits.maxFiles: expected an integer of 1 or more, got "10".',
    ],
    [{ ...right, examples: ["a", 7] }, "examples.1: expected a question, got 7."],
    [
      { description: "x", pages: {} },
      "pages: expected an object with list and read, got an object.",
    ],
  ])("%j is a TypeError that names key and value", (options, message) => {
    expect(() => createDocsLibrarian(options as DocsLibrarianOptions)).toThrow(TypeError);
    expect(() => createDocsLibrarian(options as DocsLibrarianOptions)).toThrow(message);
  });

  it.each([
    [{ root: " " }, "root: expected the path of a folder, got"],
    [{ id: "No Spaces" }, 'id: expected 1 to 64 of a-z, 0-9 and "-", got "No Spaces".'],
    [
      { capabilities: ["a", "B"] },
      'capabilities.1: expected 1 to 128 of a-z, 0-9, "." and "-", got "B".',
    ],
    [{ limits: { maxFiles: 0 } }, "limits.maxFiles: expected an integer of 1 or more, got 0."],
    [{ limits: { maxFiles: 1.5 } }, "limits.maxFiles: expected an integer of 1 or more, got 1.5."],
    [{ refreshMs: Number.NaN }, "refreshMs: expected a number from 0 to 2147483647, got NaN."],
    [{ refreshMs: Infinity }, "refreshMs: expected a number from 0 to 2147483647, got Infinity."],
  ])("%j is a RangeError that names key and value", (wrong, message) => {
    expect(() => createDocsLibrarian({ ...right, ...wrong })).toThrow(RangeError);
    expect(() => createDocsLibrarian({ ...right, ...wrong })).toThrow(message);
  });

  it("can be printed as JSON schema, for editors of mesh files", () => {
    const { properties } = z.toJSONSchema(optionsSchema, { unrepresentable: "any" });

    expect(properties).toHaveProperty("root");
  });
});

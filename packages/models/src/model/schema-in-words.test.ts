import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toObjectSchema } from "./analysis.js";
import { isOpen } from "./schema-in-words.js";

interface Tree {
  name: string;
  below: Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), below: z.array(tree) }));

describe("isOpen", () => {
  it.each([
    ["a record", z.object({ a: z.record(z.string(), z.number()) }), true],
    ["a value of any kind", z.object({ a: z.unknown() }), true],
    ["a list of any kind", z.object({ a: z.array(z.any()) }), true],
    ["an object with further keys", z.looseObject({ a: z.string() }), true],
    [
      "a record deep inside",
      z.object({ a: z.array(z.object({ b: z.record(z.string(), z.string()) })) }),
      true,
    ],
    [
      "plain data",
      z.object({ a: z.string().min(3), b: z.number().nullable(), c: z.enum(["x"]) }),
      false,
    ],
    ["a strict object", z.strictObject({ a: z.literal("x").optional() }), false],
    ["a choice", z.object({ a: z.union([z.string(), z.object({ b: z.boolean() })]) }), false],
    ["a default", z.object({ a: z.string().default("x") }), false],
    [
      "keys named like keywords",
      z.object({ additionalProperties: z.string(), items: z.string() }),
      false,
    ],
    ["a tree", z.object({ root: tree }), false],
  ])("says of %s: %s", (_name, schema, expected) => {
    expect(isOpen(toObjectSchema(schema, "it"))).toBe(expected);
  });
});

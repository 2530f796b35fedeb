import { mergeStrategyNames } from "@constellation/core";
import {
  checkOptions,
  definitionTable,
  type Option,
  type OptionTable,
  routerTable,
} from "@constellation/core/checks";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { meshFileJsonSchema } from "./mesh-file.schema.js";
import { optionFields } from "./option-fields.js";
import { optionTexts } from "./option-texts.js";

interface Properties {
  readonly [key: string]: {
    readonly description?: string;
    readonly items?: { readonly properties: Properties };
  };
}

const onlyInCode = new Set(["function", "object", "checked"]);
const isInFile = ({ kind, isInCode }: Option) => isInCode !== true && !onlyInCode.has(kind);

/** Values at and beyond the edges of every kind, as JSON has them. */
const values: readonly unknown[] = [
  ...[-1, -0.5, 0, 0.25, 1, 1.5, 7, 2_147_483_647, 2_147_483_648],
  ...[true, false, null, "", " ", "text", "A b", "path", "work", "read", "x".repeat(65)],
  ...mergeStrategyNames,
  ...[[], ["a"], ["A b"], [1], {}, { quorum: 0 }, { quorum: 2 }, { quorum: 1.5 }, { other: 1 }],
  ...[
    { attempts: 0 },
    { attempts: 2 },
    { minDelayMs: 0 },
    { failureShare: 0 },
    { failureShare: 1 },
  ],
  ...[{ afterMs: 5 }, { tokens: 0 }, { tokens: -1 }, { costUsd: 0.5 }, { users: ["ada"] }],
  ...[{ users: "ada" }, { token: ["a"] }, { token: ["A"] }, { token: "a" }],
];

function isAccepted(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

type Find = (properties: Properties) => Properties | undefined;

describe.each<[string, OptionTable, Readonly<Record<string, string>>, Find]>([
  ["a router", routerTable, optionTexts.router, (properties) => properties],
  [
    "a librarian",
    definitionTable,
    { ...optionTexts.librarian, cache: "in memory, for each user. Default: off." }, // code gives a store
    ({ librarians }) => librarians?.items?.properties,
  ],
])("the options of %s", (_what, table, texts, find) => {
  const options = Object.entries(table).filter(([, option]) => isInFile(option));

  it("are all in a mesh file's schema for editors, each with a description", async () => {
    const { properties } = (await meshFileJsonSchema()) as { properties: Properties };
    const found = find(properties) ?? {};

    for (const [key] of options) {
      expect(texts[key], key).toMatch(/[\w`]\.$/);
      expect(found[key]?.description, key).toContain(texts[key]);
    }
  });

  it.each(options.filter(([key]) => key !== "cache"))(
    // of a cache, code gives a store
    "have the same range in a mesh file: %s",
    (key, option) => {
      const fields = z.strictObject(optionFields({ [key]: option }));

      for (const value of values) {
        const inCode = isAccepted(() =>
          checkOptions("options", { [key]: value }, { [key]: option }),
        );
        const inFile = fields.safeParse({ [key]: value }).success;
        expect([value, inFile]).toEqual([value, inCode]);
      }
    },
  );
});

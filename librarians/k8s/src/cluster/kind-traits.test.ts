import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { kindIs, kindsNeededBy, kindsThat } from "./kind-traits.js";
import { isKindName } from "./kinds.js";

it("the table of kinds names kinds that can be read, and no other", () => {
  const table: Readonly<Record<string, { needs?: string[][] }>> = JSON.parse(
    readFileSync(new URL("../../data/kinds.json", import.meta.url), "utf8"),
  );
  const named = [
    ...Object.keys(table),
    ...Object.values(table).flatMap(({ needs = [] }) => needs.flat()),
  ];

  expect(named.filter((kind) => !isKindName(kind))).toEqual([]);
  expect(kindIs("Pod", "hasStatus")).toBe(true);
  expect(kindIs("ConfigMap", "hasStatus")).toBe(false);
  expect(kindsThat("appliesToObject")).toContain("Ingress");
  expect(kindsNeededBy("CronJob")).toEqual([["Job"]]);
});

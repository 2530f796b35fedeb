import { expect, it } from "vitest";
import { findRoutingWarnings } from "./routing-warnings.js";

const bins = {
  id: "bins",
  description: "Waste bins, and the days when they are emptied",
  examples: ["When are the waste bins emptied?"],
};
const pools = { id: "pools", description: "Swimming pools, their hours and prices" };
const parks = { id: "parks", description: "Parks, trees, and what may be felled" };

it("finds nothing where descriptions say enough and differ", () => {
  expect(findRoutingWarnings([bins, pools, parks])).toEqual([]);
});

it("names a description that is too thin, and what brings most", () => {
  const [warning, ...others] = findRoutingWarnings([
    bins,
    pools,
    { id: "tax", description: "Tax" },
  ]);

  expect(others).toEqual([]);
  expect(warning).toMatchObject({ kind: "thin-description", ids: ["tax"] });
  expect(warning?.message).toContain("has 1 word to choose it by");
  expect(warning?.message).toContain("Add three questions");
});

it("names descriptions that are alike, and examples that fit another librarian better", () => {
  const twin = { ...pools, id: "baths" };
  const misled = { ...parks, examples: ["When are the waste bins in the park emptied?"] };

  expect(
    findRoutingWarnings([bins, pools, twin, misled]).map(({ kind, ids }) => [kind, ids]),
  ).toEqual([
    ["alike-descriptions", ["pools", "baths"]],
    ["misleading-example", ["parks", "bins"]],
  ]);
});

it("says nothing of a mesh that has little to choose from, nor of a group", () => {
  expect(findRoutingWarnings([{ id: "a", description: "A" }, pools])).toEqual([]);
  const group = { id: "triage", description: "Routes", capabilities: ["delegation.members"] };
  expect(findRoutingWarnings([bins, pools, parks, group])).toEqual([]);
});

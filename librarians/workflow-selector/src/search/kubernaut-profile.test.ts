import { describe, expect, it } from "vitest";
import { catalogOf, entry } from "../../test/workflows.js";
import { kubernautProfile } from "./kubernaut-profile.js";
import { searchWorkflowCatalog } from "./search-workflow-catalog.js";

const options = { profile: kubernautProfile };

async function scoresOf(
  entries: readonly unknown[],
  traits: Readonly<Record<string, string | boolean>>,
  labels: Readonly<Record<string, string>> = {},
) {
  const query = { labels, observed: { traits } };
  const { workflows } = searchWorkflowCatalog(await catalogOf(...entries), query, options);
  return workflows.map(({ workflow_id, confidence }) => [workflow_id, confidence]);
}

describe("kubernautProfile", () => {
  it("gives five of ten, more for what was detected, and less for what misses GitOps", async () => {
    const entries = [entry("plain"), entry("git", { detected_labels: { gitOpsManaged: true } })];

    expect(await scoresOf(entries, {})).toEqual([
      ["git", 0.5],
      ["plain", 0.5],
    ]);
    expect(await scoresOf(entries, { gitOpsManaged: true })).toEqual([
      ["git", 0.51],
      ["plain", 0.49],
    ]);
  });

  it("leaves out what is made for another tool, and halves what takes any", async () => {
    const entries = ["argocd", "flux", "*"].map((gitOpsTool) =>
      entry(`for-${gitOpsTool === "*" ? "any" : gitOpsTool}`, { detected_labels: { gitOpsTool } }),
    );

    expect(await scoresOf(entries, { gitOpsTool: "argocd" })).toEqual([
      ["for-argocd", 0.51],
      ["for-any", 0.505],
    ]);
  });

  it("adds for custom labels", async () => {
    const entries = [
      entry("a", { custom_labels: { team: "core" } }),
      entry("b", { custom_labels: { team: "*" } }),
    ];

    expect(await scoresOf(entries, {}, { team: "core" })).toEqual([
      ["a", 0.515],
      ["b", 0.5075],
    ]);
  });
});

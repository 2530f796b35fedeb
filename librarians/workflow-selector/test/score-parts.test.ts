import { expect, it } from "vitest";
import { createPostings } from "../src/search/entry-postings.js";
import type { CatalogQuery } from "../src/search/query.js";
import { rankWorkflows } from "../src/search/search-workflow-catalog.js";
import { createSemanticIndex, featureNames } from "../src/search/semantic-index.js";
import { catalogOf, entry } from "./workflows.js";

/** Ids with the same words. */
const first = "pods";
const second = "pods-pods";

/** Ids of two entries in the order of their rank; of equals the first is first. */
async function rankedOf(a: object, b: object, query: CatalogQuery): Promise<readonly string[]> {
  const catalog = await catalogOf(
    entry(first, { description: text, ...a }),
    entry(second, { description: text, ...b }),
  );
  return rankWorkflows(catalog, { ...incident, ...query }).ranked.map(
    ({ workflow }) => workflow.id,
  );
}

const text = "Restarts the pods of a workload whose program hangs";
const incident = { incident_type: "ProgramHangs", details: "the program of a pod hangs" };
const labels = (more: object) => ({ labels: { risk_tolerance: "low", ...more } });
const stateful = { detected_labels: { stateful: "true" } };

it("equal entries are in the order of their ids", async () => {
  expect(await rankedOf({}, {}, {})).toEqual([first, second]);
});

it.each<readonly [string, object, object, CatalogQuery]>([
  ["whose condition is met", {}, stateful, { observed: { traits: { stateful: true } } }],
  [
    "without a condition that is not met",
    stateful,
    {},
    { observed: { traits: { stateful: false } } },
  ],
  ["without a condition that is not known", stateful, {}, { observed: { traits: {} } }],
  [
    "that is not made for another severity",
    labels({ severity: "low" }),
    {},
    { observed: { severity: "critical" } },
  ],
  [
    "that is not made for another kind",
    labels({ component: "Node" }),
    {},
    { observed: { component: "Pod" } },
  ],
  [
    "that does not name the trouble among what it is not for",
    { description: { what: text, whenNotToUse: "A deadlock" } },
    { description: { what: text } },
    { observations: ["thread dump shows a deadlock"] },
  ],
  [
    "that works by the tool which manages the object",
    { description: `${text}, in the cluster` },
    { description: `${text}, by a commit for Argo CD` },
    { observed: { traits: { gitOpsManaged: true } } },
  ],
  [
    "that does not work by a tool which does not manage the object",
    { description: `${text}, by a commit for Argo CD` },
    { description: `${text}, in the cluster` },
    { observed: { traits: { gitOpsManaged: false } } },
  ],
])("an entry is before its equal %s", async (_, a, b, query) => {
  expect((await rankedOf(a, b, query))[0]).toBe(second);
});

it("an entry that what was observed speaks against is behind one that hardly fits", async () => {
  const a = { description: { what: text, whenNotToUse: "The volume of the pod is read only" } };
  const b = {
    workflow_id: "print-report",
    description: { what: "Prints a report of what each team owes", preconditions: "A pod" },
  };
  const query = { observations: ["the volume of the pod is read only"] };

  expect(await rankedOf(a, b, {})).toEqual([first, "print-report"]);
  expect(await rankedOf(a, b, query)).toEqual(["print-report", first]);
});

it.each(featureNames)(
  "the feature %s is larger for the entry that is made for the trouble",
  async (name) => {
    const { workflows } = await catalogOf(
      entry("raise-memory-limit", {
        description:
          "Raises the memory limit of containers that are OOMKilled, by a commit for Argo CD",
      }),
      entry("renew-certificate", {
        description: "Renews a certificate before it expires: the memory of clients",
      }),
    );
    const query = {
      incident_type: "OOMKilled",
      details: "a container was OOMKilled: out of memory",
      observations: ["OOMKilled", "the container was OOMKilled, out of memory"],
      observed: { traits: { gitOpsManaged: true } },
      labels: {},
    };
    const features = createSemanticIndex(workflows, createPostings(workflows)).features(query);
    const [made = 0, other = 0] = [0, 1].map(
      (place) => features.get(place)?.values[featureNames.indexOf(name)] ?? 0,
    );

    expect(made).toBeGreaterThan(other);
  },
);

import { describe, expect, it } from "vitest";
import { catalogOf, entry } from "../../test/workflows.js";
import { createRemedyMatch } from "./remedies.js";
import { searchWorkflowCatalog } from "./search-workflow-catalog.js";
import { explainSignal } from "./signals.js";

const growth = entry("headroom", {
  description: "Grants one container of a workload some more headroom and rolls its pods anew",
});
const probe = entry("door", {
  description: {
    what: "Mends path or port of the readiness probe.",
    whenToUse: "The process serves, but the probe asks for a path that it does not have.",
    whenNotToUse: "The probe is right and the process itself says that it is not ready.",
  },
});

describe("what mends a trouble", () => {
  it("is found among entries that share no word with the name of the trouble", async () => {
    const { workflows } = await catalogOf(growth, probe);
    const match = createRemedyMatch(workflows);
    const likenessOf = (signal: string, place: number) =>
      match(explainSignal(signal).own)?.(place).likeness ?? 0;

    expect(likenessOf("OOMKilled", 0)).toBeGreaterThan(likenessOf("OOMKilled", 1));
    expect(likenessOf("ReadinessProbeFailed", 1)).toBeGreaterThan(
      likenessOf("ReadinessProbeFailed", 0),
    );
    expect(match([])).toBeUndefined();
  });

  it("is made for the known trouble that it is most like, and for no other", async () => {
    const { workflows } = await catalogOf(probe);
    const match = createRemedyMatch(workflows);
    const [unfit] = explainSignal("ReadinessProbeFailed", ["statuscode: 404"]).causes;

    expect(match(unfit === undefined ? [] : [unfit])?.(0).madeFor).toBeGreaterThan(-0.1);
    expect(match(explainSignal("NodeNotReady").own)?.(0).madeFor).toBeLessThan(-0.2);
  });
});

it("the messages of the trouble that an entry is made for do not speak against it", async () => {
  const catalog = await catalogOf(probe, growth, entry("drain", { description: "Drains a node" }));
  const { workflows } = searchWorkflowCatalog(catalog, {
    incident_type: "ReadinessProbeFailed",
    observations: ["ReadinessProbeFailed", "pod board is not ready: HTTP statuscode: 404"],
  });

  expect(workflows[0]).toMatchObject({ workflow_id: "door" });
  expect(workflows[0]?.confidence).toBeGreaterThan(0.7);
});

import { describe, expect, it } from "vitest";
import { catalogOf, entry } from "../../test/workflows.js";
import { readFacts } from "../incident/observed-facts.js";
import { fillParameters } from "./fill-parameters.js";

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly enum?: readonly string[];
}

/** Parameters that a workflow of these gets from one fact. */
async function filledFrom(fact: object, ...parameters: readonly Parameter[]) {
  const typed = parameters.map((one) => ({ type: "string", ...one }));
  const { workflows } = await catalogOf(entry("w", { parameters: typed }));
  const [workflow] = workflows;
  const { fact: incident } = readFacts([fact]);
  if (workflow === undefined || incident === undefined) throw new Error("no workflow or fact");
  return fillParameters(workflow, incident).parameters;
}

const pod = {
  signal_type: "CrashLoopBackOff",
  target_resource: "shop/Pod/db-0",
  owner: "shop/apps/StatefulSet/db",
};

describe("a parameter", () => {
  it("gets the only claim and ConfigMap that a pod uses, and none of several", async () => {
    const wanted = [{ name: "CLAIM" }, { name: "settings", description: "Name of the ConfigMap" }];
    const one = { ...pod, claims: ["data-db-0"], config_maps: ["db-conf"] };
    const several = { ...pod, claims: ["data-db-0", "wal-db-0"] };

    expect(await filledFrom(one, ...wanted)).toEqual({ CLAIM: "data-db-0", settings: "db-conf" });
    expect(await filledFrom(several, ...wanted)).toEqual({});
  });

  it("gets the one object that is named of the kinds that its description speaks of", async () => {
    const rule = { name: "rule", description: "name of ResourceQuota or LimitRange" };
    const fact = { ...pod, limit_range: "bounds" };

    expect(await filledFrom(fact, rule)).toEqual({ rule: "bounds" });
    expect(await filledFrom({ ...fact, quota: "cap" }, rule)).toEqual({});
  });

  it("gets kind and name of the object that is of a kind which is listed beside it", async () => {
    const fact = { signal_type: "Suspended", target_resource: "flux-system/Kustomization/apps" };
    const kind = { name: "flux_kind", enum: ["Kustomization", "HelmRelease"] };

    expect(await filledFrom(fact, kind, { name: "flux_name" })).toEqual({
      flux_kind: "Kustomization",
      flux_name: "apps",
    });
    expect(await filledFrom(pod, kind, { name: "flux_name" })).toEqual({});
  });

  it("gets the one of its listed values that was observed, and none of several", async () => {
    const probe = { name: "PROBE", enum: ["readiness", "liveness"] };
    const failed = { ...pod, signal_type: "ReadinessProbeFailed" };

    expect(await filledFrom(failed, probe)).toEqual({ PROBE: "readiness" });
    expect(await filledFrom({ ...failed, finding: "so does the liveness probe" }, probe)).toEqual(
      {},
    );
  });

  it("gets what messages name: a class, a container, a role, and the kind of a missing object", async () => {
    const missing = { ...pod, error_message: 'secret "smtp" not found' };
    const type = { name: "objectType", enum: ["ConfigMap", "Secret"] };
    const named = async (error_message: string, name: string) =>
      filledFrom({ ...pod, error_message }, { name });

    expect(await filledFrom(missing, type, { name: "objectName" })).toEqual({
      objectType: "Secret",
      objectName: "smtp",
    });
    expect(await named("no PriorityClass with name batch was found", "className")).toEqual({
      className: "batch",
    });
    expect(await named("missing request for cpu in container web of Pod a", "container")).toEqual({
      container: "web",
    });
    expect(await named("it is bound to reader, which does not grant get", "ROLE")).toEqual({
      ROLE: "reader",
    });
  });

  it("gets what is there now where its description asks for that", async () => {
    const image = (description: string) => ({ name: "IMAGE", description });
    const fact = { ...pod, image: "a:1" };

    expect(await filledFrom(fact, image("the image as it is today"))).toEqual({ IMAGE: "a:1" });
    expect(await filledFrom(fact, image("the image to use"))).toEqual({});
  });

  it("for a node does not get the one that a pod runs on", async () => {
    expect(await filledFrom({ ...pod, node: "n1" }, { name: "NODE_NAME" })).toEqual({});
  });
});

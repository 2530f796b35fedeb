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

  it("gets what messages name: an object of a kind, also by another name, a key, and what is denied", async () => {
    const named = async (fact: object, ...names: readonly string[]) =>
      filledFrom({ ...pod, ...fact }, ...names.map((name) => ({ name })));
    const type = { name: "objectType", enum: ["ConfigMap", "Secret"] };
    const missing = { ...pod, named_objects: ["Secret/smtp"] };

    expect(await filledFrom(missing, type, { name: "objectName" })).toEqual({
      objectType: "Secret",
      objectName: "smtp",
    });
    expect(await named({ named_objects: ["PriorityClass/batch"] }, "className")).toEqual({
      className: "batch",
    });
    expect(
      await named({ named_objects: ["ServiceAccount/reader", "ClusterRole/view"] }, "ROLE"),
    ).toEqual({
      ROLE: "view",
    });
    expect(await named({ key: "tls.crt", denied_verb: "watch" }, "ENTRY_KEY", "verb")).toEqual({
      ENTRY_KEY: "tls.crt",
      verb: "watch",
    });
  });

  it("for a class gets none that does not exist", async () => {
    expect(
      await filledFrom({ ...pod, named_objects: ["StorageClass/gone"] }, { name: "STORAGE_CLASS" }),
    ).toEqual({});
  });

  it("gets the only value of a list by its singular, and the object itself where it is being deleted", async () => {
    const stuck = { ...pod, deletion_timestamp: "2026-01-01T00:00:00Z", finalizers: ["a.b/hold"] };

    expect(
      await filledFrom(stuck, { name: "kind" }, { name: "name" }, { name: "finalizer" }),
    ).toEqual({
      kind: "Pod",
      name: "db-0",
      finalizer: "a.b/hold",
    });
  });

  it("gets what the last word of its name is of, before what its description speaks of", async () => {
    const fact = { ...pod, container: "engine", key: "a.csv", named_objects: ["ConfigMap/conf"] };
    const wanted = [
      { name: "containerId", description: "container name in the pod spec" },
      { name: "box", description: "the container of the Pod" },
      { name: "cmName" },
      { name: "cmKey" },
      { name: "ON_NAME", description: "the controller" },
    ];

    expect(await filledFrom(fact, ...wanted)).toEqual({
      containerId: "engine",
      box: "engine",
      cmName: "conf",
      cmKey: "a.csv",
      ON_NAME: "db",
    });
    expect(await filledFrom(pod, { name: "containerId", description: "of the Pod" })).toEqual({});
  });

  it("for a node gets the one that a volume is attached to", async () => {
    const fact = { ...pod, node: "n1", attached_node: "n2" };

    expect(await filledFrom(fact, { name: "OLD_NODE" }, { name: "NODE_NAME" })).toEqual({
      OLD_NODE: "n2",
      NODE_NAME: "n2",
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

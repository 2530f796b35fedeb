import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admit } from "./admit.js";

const metadata = { name: "a", namespace: "shop" };
const secretEnv = {
  name: "web",
  env: [
    { name: "API_TOKEN", value: "hunter2" },
    { name: "LEVEL", value: "info" },
  ],
};

describe("admit", () => {
  it("drops Secrets and kinds it does not know", () => {
    expect(admit({ apiVersion: "v1", kind: "Secret", metadata })).toBeUndefined();
    expect(admit({ apiVersion: "v1", kind: "secret", metadata })).toBeUndefined();
    expect(admit({ kind: "constructor", metadata })).toBeUndefined();
    expect(admit({ kind: "__proto__", metadata })).toBeUndefined();
  });

  it.each([
    ["Pod", (spec: object) => ({ spec })],
    ["Deployment", (spec: object) => ({ spec: { template: { spec } } })],
    ["Job", (spec: object) => ({ spec: { template: { spec } } })],
    ["CronJob", (spec: object) => ({ spec: { jobTemplate: { spec: { template: { spec } } } } })],
  ])("hides variables named like secrets in a %s, and nothing else", (kind, place) => {
    for (const list of ["containers", "initContainers", "ephemeralContainers"]) {
      const shown = JSON.stringify(
        admit({ kind, metadata, ...place({ [list]: [secretEnv], nodeName: "n" }) }),
      );

      expect(shown).not.toContain("hunter2");
      expect(shown).toContain('"value":"info"');
      expect(shown).toContain('"nodeName":"n"');
    }
  });

  it("leaves the value it was given as it was", () => {
    const value = Object.freeze({
      kind: "Pod",
      metadata: Object.freeze({ ...metadata, managedFields: [] }),
      spec: { containers: [secretEnv] },
    });

    admit(value);

    expect(value.spec.containers[0]?.env[0]?.value).toBe("hunter2");
    expect(value.metadata.managedFields).toEqual([]);
  });

  it("keeps only labels, annotations and owners of the right shape", () => {
    const object = admit({
      kind: "Pod",
      metadata: {
        ...metadata,
        labels: { a: "b", c: 1 },
        annotations: "x",
        ownerReferences: [{ kind: "Job", name: "j" }, null, {}],
      },
    });

    expect(object?.metadata).toEqual({
      ...metadata,
      labels: { a: "b" },
      ownerReferences: [{ kind: "Job", name: "j" }],
    });
  });

  it("never throws, and gives only objects with a name", () => {
    const any = fc.anything({ withNullPrototype: true });
    fc.assert(
      fc.property(
        fc.oneof(
          any,
          fc.record({
            kind: fc.constantFrom("Pod", "ConfigMap", "CronJob", "Secret"),
            metadata: fc.oneof(any, fc.constant(metadata)),
            spec: any,
            data: any,
            status: any,
          }),
        ),
        (value) => {
          const object = admit(value);
          expect(object === undefined || object.metadata.name !== "").toBe(true);
          expect(object?.kind).not.toBe("Secret");
        },
      ),
    );
  });
});

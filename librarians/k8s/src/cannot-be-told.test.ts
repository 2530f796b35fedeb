import { describe, expect, it } from "vitest";
import { deployment, namespace, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";
import { readMoment } from "./question/period.js";

const ask = async (question: string, objects: readonly unknown[]) => {
  const {
    answer = "",
    metadata,
    confidence,
    partial,
  } = await createK8sLibrarian({
    reader: createInMemoryReader({ objects, now }),
  }).librarian(question);
  return { answer, confidence, partial, facts: metadata?.facts };
};

const labelled = (name: string, app: string) =>
  pod({
    name: `${name}-5d9-a`,
    owner: ["ReplicaSet", `${name}-5d9`],
    labels: { app, tier: "booking" },
  });

describe("what the objects cannot tell", () => {
  it("is which application answers, where a Service takes pods of two of them", async () => {
    const objects = [
      namespace("shop"),
      ...deployment("seats"),
      labelled("seats", "seats"),
      ...deployment("kiosk"),
      labelled("kiosk", "kiosk"),
      service("seats", { tier: "booking" }),
    ];
    const { answer, facts } = await ask("why does seats answer with the wrong page?", objects);

    expect(answer).toContain("tier=booking, matches pods of 2 applications");
    expect(answer).toContain("shop/Deployment/kiosk");
    expect(facts).toEqual([]);
  });

  it("is no mix of applications where two versions share the label of the name", async () => {
    const objects = [
      namespace("shop"),
      ...deployment("seats"),
      labelled("seats", "seats"),
      ...deployment("canary"),
      labelled("canary", "seats"),
      service("seats", { tier: "booking" }),
    ];

    expect((await ask("is seats ok?", objects)).answer).not.toContain("applications");
  });

  it("is what happened before anything that was read", async () => {
    const objects = [
      namespace("shop"),
      ...deployment("web"),
      pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"] }),
    ];
    const { answer, partial, facts } = await ask("what killed web yesterday evening?", objects);

    expect(answer).toContain("is not recorded");
    expect(partial).toBe(true);
    expect(facts).toEqual([]);
  });

  it("is not the manifest of a workload that is called manifest", async () => {
    const objects = [
      namespace("shop"),
      ...deployment("manifest"),
      pod({ name: "manifest-5d9-a", owner: ["ReplicaSet", "manifest-5d9"] }),
    ];

    expect((await ask("where do the pods of manifest run?", objects)).answer).not.toContain(
      "apiVersion",
    );
    expect((await ask("show the yaml of manifest", objects)).answer).toContain("apiVersion");
  });
});

describe("a past moment", () => {
  it.each([
    ["what evicted it in the night from Tuesday to Wednesday?", true],
    ["who was killed yesterday evening?", true],
    ["what is failing since yesterday?", false],
    ["it was fine yesterday, and now?", false],
    ["show the last 20 lines", false],
  ])("%s: %s", (query, isThere) => {
    const moment = readMoment(query, now);

    expect(moment !== undefined).toBe(isThere);
    expect(moment === undefined || moment.to <= now).toBe(true);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { listAt, textAt } from "../src/cluster/fields.js";
import { getKind, kindNames } from "../src/cluster/kinds.js";

function manifest(name: string): readonly unknown[] {
  const text = readFileSync(new URL(`../manifests/${name}`, import.meta.url), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

function rulesOf(objects: readonly unknown[]): readonly unknown[] {
  return objects.flatMap((object) => listAt(object, "rules"));
}

/** `group/resource` of every rule. */
function resourcesOf(rules: readonly unknown[]): readonly string[] {
  return rules
    .flatMap((rule) =>
      listAt(rule, "apiGroups").flatMap((group) =>
        listAt(rule, "resources").map((resource) => `${group}/${resource}`),
      ),
    )
    .sort();
}

describe("manifests/read-only.yaml", () => {
  const objects = manifest("read-only.yaml");

  it("binds view, and allows beside it exactly what the kinds, events and usage need", () => {
    const needed = kindNames
      .map(getKind)
      .filter(({ right }) => right === "extra")
      .map(({ group, plural }) => `${group}/${plural}`);
    const bound = objects.map((object) => textAt(object, "roleRef", "name")).filter(Boolean);

    expect(bound).toEqual(["view", "librarian-k8s-extra"]);
    expect(resourcesOf(rulesOf(objects))).toEqual(
      [
        ...new Set([
          ...needed,
          "events.k8s.io/events",
          "metrics.k8s.io/nodes",
          "metrics.k8s.io/pods",
        ]),
      ].sort(),
    );
  });

  it("allows get and list, and nothing else", () => {
    for (const rule of rulesOf(objects)) {
      expect(listAt(rule, "verbs")).toEqual(["get", "list"]);
      expect(listAt(rule, "nonResourceURLs")).toEqual([]);
    }
  });

  it("names no Secret, no way into a pod and no wildcard", () => {
    const named = resourcesOf(rulesOf(objects)).join(" ");

    expect(named).not.toMatch(/secret|exec|attach(?!ments)|portforward|proxy|token|\*|impersonat/);
  });
});

describe("manifests/impersonation.yaml", () => {
  it("allows to act as users and groups, and nothing else", () => {
    const rules = rulesOf(manifest("impersonation.yaml"));

    expect(resourcesOf(rules)).toEqual(["/groups", "/users"]);
    for (const rule of rules) expect(listAt(rule, "verbs")).toEqual(["impersonate"]);
  });

  it("names whom it may act as, and none of the cluster itself", () => {
    for (const rule of rulesOf(manifest("impersonation.yaml"))) {
      const names = listAt(rule, "resourceNames");
      expect(names.length).toBeGreaterThan(0);
      expect(names.join(" ")).not.toMatch(/system:|\*/);
    }
  });
});

describe("the table of kinds", () => {
  it("has no Secret", () => {
    expect(kindNames).not.toContain("Secret");
    expect(kindNames.map((name) => getKind(name).plural)).not.toContain("secrets");
  });
});

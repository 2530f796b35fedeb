import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { root } from "./markdown-blocks.js";

const cookbook = join(root, "docs/cookbook");
const read = (path: string) => readFileSync(join(cookbook, path), "utf8");

/** The names that Prometheus gives to the metrics of the telemetry package. */
function knownMetrics(): readonly string[] {
  const source = readFileSync(join(root, "packages/telemetry/src/run-metrics.ts"), "utf8");
  const created = source.matchAll(
    /create(Histogram|Counter|Gauge)\("([\w.]+)", \{\s*(?:unit: "(.+?)"|\.\.\.duration)/g,
  );
  return [...created].flatMap(([, kind, name = "", unit = "s"]) => {
    const base = name.replaceAll(".", "_");
    if (kind === "Histogram") {
      return ["bucket", "count", "sum"].map((part) => `${base}_seconds_${part}`);
    }
    if (kind === "Gauge") return [`${base}_ratio`];
    return [`${base}${unit.startsWith("{") ? "" : `_${unit}`}_total`];
  });
}

const metricNames = /\b(?:gen_ai|librarian)_\w+(?=[[{)]| *>)/g;

const dashboardSchema = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }),
  ),
});
const rulesSchema = z.object({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.string() }),
          annotations: z.object({ summary: z.string() }),
        }),
      ),
    }),
  ),
});

describe("what the cookbook ships for Grafana", () => {
  const known = new Set(knownMetrics());

  it("reads metrics that the telemetry package sends, and no others", () => {
    const { panels } = dashboardSchema.parse(JSON.parse(read("grafana/dashboard.json")));
    const { groups } = rulesSchema.parse(parse(read("grafana/alerts.yaml")));
    const used = [
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ].map((expr) => ({
      expr,
      names: expr.replaceAll(/\bby \([^)]*\)/g, "").match(metricNames) ?? [],
    }));

    expect(known.size).toBeGreaterThan(10);
    expect(used.filter(({ names }) => names.length === 0)).toEqual([]);
    expect(used.flatMap(({ names }) => names).filter((name) => !known.has(name))).toEqual([]);
  });
});

const labels = z.record(z.string(), z.string());
const objectSchema = z.object({
  kind: z.string(),
  apiVersion: z.string(),
  metadata: z.object({ name: z.string() }),
  data: labels.optional(),
  spec: z
    .looseObject({
      selector: z.union([z.object({ matchLabels: labels }), labels]).optional(),
      ports: z.array(z.object({ targetPort: z.string() })).optional(),
      template: z
        .object({
          metadata: z.object({ labels }),
          spec: z.looseObject({
            automountServiceAccountToken: z.literal(false),
            securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
            containers: z.array(
              z.looseObject({
                resources: z.object({ requests: labels, limits: labels }),
                ports: z.array(z.object({ name: z.string() })).optional(),
              }),
            ),
          }),
        })
        .optional(),
    })
    .optional(),
});

describe("the manifests of the cookbook", () => {
  const objects = parseAllDocuments(read("kubernetes/mesh.yaml")).map((each) =>
    objectSchema.parse(each.toJS()),
  );
  const pods = objects.flatMap(({ spec }) => spec?.template ?? []);
  const selects = (wanted: Readonly<Record<string, string>>) =>
    pods.filter(({ metadata }) =>
      Object.entries(wanted).every(([key, value]) => metadata.labels[key] === value),
    );

  it("select pods that they make, by ports that these have", () => {
    const selectors = objects.flatMap(({ kind, spec }) => {
      const { selector } = spec ?? {};
      if (selector === undefined) return [];
      const wanted =
        z.object({ matchLabels: labels }).safeParse(selector).data?.matchLabels ??
        labels.parse(selector);
      return [{ kind, wanted, ports: spec?.ports ?? [] }];
    });

    expect(selectors).toHaveLength(5);
    for (const { wanted, ports } of selectors) {
      const [pod] = selects(wanted);
      expect(selects(wanted)).toHaveLength(1);
      const named = pod?.spec.containers.flatMap((container) => container.ports ?? []) ?? [];
      for (const { targetPort } of ports)
        expect(named.map(({ name }) => name)).toContain(targetPort);
    }
  });

  it("hold mesh files of one mesh over one transport", () => {
    const files = Object.values(objects.find(({ kind }) => kind === "ConfigMap")?.data ?? {});
    const meshes = files.map((text) => parse(text) as { name: string; transport: string });

    expect(meshes).toHaveLength(2);
    expect(new Set(meshes.map(({ name, transport }) => `${name} ${transport}`)).size).toBe(1);
  });
});

import { describe, expect } from "vitest";
import { stringify } from "yaml";
import { type FakeCluster, fakeCluster } from "../../test/fake-cluster.js";
import { itReadsACluster } from "../../test/reader-contract.js";
import { listOf, useSnapshotFolder } from "../../test/snapshot-folder.js";
import { textAt } from "../cluster/fields.js";
import { kindNames } from "../cluster/kinds.js";

function everything(cluster: FakeCluster): readonly unknown[] {
  const { objects, events, newerEvents, podMetrics, nodeMetrics } = cluster;
  return [...objects, ...events, ...newerEvents, ...podMetrics, ...nodeMetrics];
}

/** Lists of one kind whose items do not say what they are, as the API gives them. */
function byKind(cluster: FakeCluster): readonly { kind: string; value: unknown }[] {
  const groups = new Map<string, unknown[]>(kindNames.map((kind) => [kind, []]));
  for (const object of everything(cluster)) {
    const key = `${textAt(object, "kind")} ${textAt(object, "apiVersion")}`;
    const kind = textAt(object, "kind") ?? "";
    groups.get(kind)?.push(object) ?? groups.set(key, [...(groups.get(key) ?? []), object]);
  }
  return [...groups].map(([key, items]) => {
    const [kind = "", version] = key.split(" ");
    const apiVersion = version ?? textAt(items, 0, "apiVersion") ?? "v1";
    return { kind, value: { kind: `${kind}List`, apiVersion, items } };
  });
}

const logSections = (cluster: FakeCluster) =>
  Object.entries(cluster.logs)
    .filter(([key]) => !key.endsWith("#previous"))
    .map(([key, text]) => {
      const [namespace, pod, container] = key.split("/");
      const whose = `container ${container} of pod ${namespace}/${pod}`;
      return `==== START logs for ${whose} ====\n${text}==== END logs for ${whose} ====\n`;
    })
    .join("");

const previous = {
  "logs/shop/api-1/web.previous.log": fakeCluster.logs["shop/api-1/web#previous"] ?? "",
};

/** The same cluster as each tool would leave it. */
const forms: Readonly<Record<string, (cluster: FakeCluster) => Readonly<Record<string, string>>>> =
  {
    "kubectl get -o json": (cluster) => ({
      "all.json": JSON.stringify(listOf(everything(cluster))),
      ...Object.fromEntries(
        byKind(cluster).map(({ kind, value }, at) => [`${at}-${kind}.json`, JSON.stringify(value)]),
      ),
      "logs/shop/api-1/web.log": cluster.logs["shop/api-1/web"] ?? "",
      ...previous,
    }),
    "kubectl get -o yaml, many documents": (cluster) => ({
      "all.yaml": everything(cluster)
        .map((object) => stringify(object))
        .join("---\n"),
      "empty.yaml": byKind(cluster)
        .map(({ value }) => `---\n${stringify(value)}`)
        .join(""),
      "shop/api-1/logs.txt": logSections(cluster),
      ...previous,
    }),
    "cluster-info dump on standard output": (cluster) => ({
      "dump.txt": `${byKind(cluster)
        .map(({ value }) => `${JSON.stringify(value, null, 4)}\n`)
        .join("")}${logSections(cluster)}${JSON.stringify(listOf([]))}`,
      ...previous,
    }),
    "cluster-info dump -o yaml": (cluster) => ({
      "dump.txt": `${byKind(cluster)
        .map(({ value }) => stringify(value))
        .join("---\n")}${logSections(cluster)}---\n${stringify(listOf([]))}`,
      ...previous,
    }),
    "must-gather": (cluster) => ({
      ...Object.fromEntries(
        byKind(cluster).map(({ kind, value }, at) => [
          `namespaces/shop/core/${at}-${kind}.yaml`,
          stringify(value),
        ]),
      ),
      "namespaces/shop/pods/api-1/web/web/logs/current.log": cluster.logs["shop/api-1/web"] ?? "",
      "namespaces/shop/pods/api-1/web/web/logs/previous.log":
        cluster.logs["shop/api-1/web#previous"] ?? "",
      version: "must-gather 4.16",
      "event-filter.html": "<html>",
    }),
  };

describe.each(Object.entries(forms))("openSnapshot of %s", (_, form) => {
  const folder = useSnapshotFolder();
  itReadsACluster(async (cluster) => {
    const reader = await folder.open(form(cluster));
    expect(reader.loadProblems).toEqual([]);
    return { reader, close: async () => {} };
  });
});

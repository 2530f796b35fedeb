import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { bindFields } from "./bind-fields.js";

const source: KubernetesObject = {
  apiVersion: "source.example/v1",
  kind: "BucketSource",
  metadata: { name: "assets" },
  spec: {
    url: "https://buckets.example/assets",
    ref: { branch: "stable" },
    rules: [
      { resources: ["pods"], verbs: ["get", "list"] },
      { resources: ["secrets"], verbs: ["get"] },
    ],
    template: {
      containers: [
        {
          name: "sync",
          args: ["--max-files=40", "--depth", "3"],
          env: [{ name: "MAIL_FROM", value: "a@b" }],
        },
      ],
    },
  },
  status: { limits: { cpu: 4 } },
};

function bind(query: string) {
  const { fields, unbound } = bindFields(query, [source], {
    names: ["assets"],
    kinds: [],
    isMany: false,
  });
  return { lines: fields.flatMap(({ places }) => places.map(({ line }) => line)), unbound };
}

describe("words of a question", () => {
  it.each([
    [
      "url and branch of assets",
      ["spec.url https://buckets.example/assets", "spec.ref.branch stable"],
    ],
    ["verbs on pods in assets", ["spec.rules[0].verbs get list"]],
    ["max files of assets", ["spec.template.containers[0].args{--max-files} 40"]],
    ["depth of assets", ["spec.template.containers[0].args{--depth} 3"]],
    ["sender in assets", ["spec.template.containers[0].env{MAIL_FROM} a@b"]],
    ["cpu limit of assets", ["status.limits.cpu 4"]],
  ])("are bound to fields of any kind: %s", (query, lines) => {
    expect(bind(query)).toEqual({ lines, unbound: [] });
  });

  it("are left where nothing has them", () => {
    expect(bind("colour of assets")).toEqual({ lines: [], unbound: ["colour"] });
  });
});

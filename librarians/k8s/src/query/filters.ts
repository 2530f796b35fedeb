import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { parseQuantity } from "../diagnosis/quantity.js";
import { type Field, fields, findField } from "./fields.js";

/** A condition that a question puts on what it lists or counts. */
export interface Filter {
  /** The words that say it. */
  readonly text: string;
  /** Name of the field that it compares. */
  readonly field?: string | undefined;
  /** Undefined of an object that the condition says nothing about. */
  test(object: KubernetesObject, view: ClusterView): boolean | undefined;
}

type Comparator = ">" | ">=" | "<" | "<=" | "=";

const comparators: Readonly<Record<string, Comparator>> = {
  "more than": ">",
  "older than": ">",
  "higher than": ">",
  "larger than": ">",
  "bigger than": ">",
  "greater than": ">",
  "longer than": ">",
  over: ">",
  above: ">",
  ">": ">",
  "at least": ">=",
  ">=": ">=",
  "less than": "<",
  "fewer than": "<",
  "lower than": "<",
  "smaller than": "<",
  "younger than": "<",
  "newer than": "<",
  under: "<",
  below: "<",
  "<": "<",
  "at most": "<=",
  "<=": "<=",
  only: "=",
  exactly: "=",
  just: "=",
  "a single": "=",
  "=": "=",
};
const numbers: Readonly<Record<string, number>> = {
  zero: 0,
  no: 0,
  a: 1,
  an: 1,
  one: 1,
  single: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const timeUnits: Readonly<Record<string, number>> = {
  minute: 60_000,
  min: 60_000,
  hour: 3_600_000,
  h: 3_600_000,
  hr: 3_600_000,
  day: 86_400_000,
  d: 86_400_000,
  week: 604_800_000,
  w: 604_800_000,
  month: 2_592_000_000,
  year: 31_536_000_000,
};
const comparing = new RegExp(
  `(?<![a-z])(${Object.keys(comparators).join("|")})\\s{0,3}(\\d{1,12}(?:\\.\\d{1,6})?|(?:${Object.keys(numbers).join("|")})(?![a-z]))?\\s?([a-z]{1,8})?(?![a-z])`,
  "gi",
);

/** Conditions of a question that compare a field with a number: "more than 5 restarts", "memory limit over 1Gi". */
export function comparisonsIn(text: string): readonly Filter[] {
  return [...text.matchAll(comparing)].flatMap((hit) => {
    const [said, word = "", number, unit = ""] = hit;
    const is = comparators[word.toLowerCase()];
    if (is === undefined || number === undefined) return [];
    const amount = numbers[number.toLowerCase()] ?? Number(number);
    const behind = text.slice(hit.index + said.length - unit.length, hit.index + said.length + 30);
    const before = text.slice(Math.max(0, hit.index - 30), hit.index);
    const spanUnit = timeUnits[unit.toLowerCase().replace(/s$/, "")];
    if (spanUnit !== undefined) {
      const isAge = /old|young|new/i.test(word) || /\b(?:age|old|created)\b/i.test(before);
      return isAge || findField(before) === undefined
        ? [compare(named("age"), is, amount * spanUnit, `${said}`)]
        : [];
    }
    const quantity = parseQuantity(`${number}${unit}`);
    const isQuantity = unit !== "" && quantity !== undefined && !/^\d*$/.test(unit);
    const behindField = isQuantity
      ? undefined
      : findField(behind.split(/\s+/).slice(0, 2).join(" "));
    const field = behindField ?? findField(before) ?? (isQuantity ? findField(behind) : undefined);
    if (field === undefined || (field.name === "namespace" && behindField === undefined)) return [];
    const words =
      behindField === undefined
        ? said.trim()
        : `${said.trim()} ${behind.slice(unit.length).trim().split(/\s+/)[0] ?? ""}`;
    return [compare(field, is, isQuantity ? quantity : amount, words.trim())];
  });
}

function named(name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}

function compare(field: Field | undefined, is: Comparator, amount: number, text: string): Filter {
  return {
    text,
    field: field?.name,
    test(object, view) {
      const value = field?.read(object, view)?.value;
      if (typeof value !== "number") return undefined;
      switch (is) {
        case ">":
          return value > amount;
        case ">=":
          return value >= amount;
        case "<":
          return value < amount;
        case "<=":
          return value <= amount;
        case "=":
          return value === amount;
      }
    },
  };
}

/** What people call a part of an object, by its key: only where the key has another word. */
const keys: Readonly<Record<string, string>> = {
  tls: "tls",
  "service account": "serviceAccountName",
  "priority class": "priorityClassName",
  "node selector": "nodeSelector",
  toleration: "tolerations",
  affinity: "affinity",
  "init container": "initContainers",
  "security context": "securityContext",
  taint: "taints",
  selector: "selector",
  finalizer: "finalizers",
  owner: "ownerReferences",
  label: "labels",
  annotation: "annotations",
  volume: "volumes",
  command: "command",
  schedule: "schedule",
  "pull secret": "imagePullSecrets",
  "host network": "hostNetwork",
  "host path": "hostPath",
  "external ip": "externalIPs",
  "load balancer ip": "loadBalancerIP",
  "storage class": "storageClassName",
};
const presence =
  /\b(with|without|having|have|has|lacking|no|missing)\s+(?:a |an |any |the )?([a-z]+(?: [a-z]+)?)/gi;

/** Conditions of a question that a part is there or not: "ingresses with tls", "pods without a node selector". */
export function presencesIn(text: string): readonly Filter[] {
  return [...text.toLowerCase().matchAll(presence)].flatMap(([said, word = "", what = ""]) => {
    const two = what.replace(/s$/, "");
    const one = what.split(" ")[0]?.replace(/s$/, "") ?? "";
    const key = keys[two] ?? keys[one];
    if (key === undefined) return [];
    const isThere = /^(?:with|having|have|has)$/.test(word);
    return [{ text: said, test: (object: KubernetesObject) => hasKey(object, key) === isThere }];
  });
}

function hasKey(object: KubernetesObject, key: string): boolean {
  const visit = (value: unknown, depth: number): boolean => {
    if (depth > 10) return false;
    if (Array.isArray(value)) return value.some((one) => visit(one, depth + 1));
    return Object.entries(recordAt(value)).some(([name, one]) =>
      name === key ? !isEmpty(one) : typeof one === "object" && visit(one, depth + 1),
    );
  };
  const { metadata, spec } = object;
  return visit({ metadata, spec: findPodSpec(object) ?? spec, own: spec }, 0);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (typeof value === "object" && Object.keys(value).length === 0)
  );
}

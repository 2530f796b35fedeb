import { createPhrases } from "@constellation/nlu";
import { cannotTell, type Line, type LookedUp } from "../answer/forms.js";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import { getKind, isKindName, type KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import {
  describeValue,
  type Field,
  type FieldValue,
  isPlural,
  printQuantity,
} from "../fields/fields.js";
import { countKinds, plurals, unread } from "../fields/unread.js";
import { printDifferences } from "./differences.js";
import { type LookupScope, printPlace } from "./lookup-scope.js";
import { printManifest } from "./manifest.js";
import { countOccurrences } from "./occurrences.js";
import { distinctHeads, type Grouping, type Output, type Query } from "./query.js";

/** Maximum number of objects beside each other in one sentence, of things that are the most, and of those after them. */
const maxBeside = 2;
const maxTies = 3;
const maxRanked = 6;
/** Maximum number of groups in one sentence. */
const maxGroups = 8;

const asksWhere = createPhrases("where, which|what node");

interface Row {
  readonly object: KubernetesObject;
  readonly found: FieldValue;
}

/** Computes what a query asks, other than a list or a count. */
export function runQuery(query: Query, scope: LookupScope): LookedUp {
  const { kinds, filters, output } = query;
  const { named, view, subject, query: text } = scope;
  const ofKinds = named.filter(({ kind }) => kinds.some((one) => one === kind));
  const heads = distinctHeads(ofKinds.length > 1 ? ofKinds : named).toSorted(
    (a, b) => text.indexOf(a.metadata.name) - text.indexOf(b.metadata.name),
  );
  // "Which of a and b is older" is about these two.
  const compared = heads.filter(({ kind }) => kinds.some((one) => one === kind));
  switch (output.to) {
    case "yaml":
      return printManifest(ofKinds[0] ?? heads[0]);
    case "compare":
      return compareTwo(rowsOf(output.field, heads, view), output, scope);
    case "values":
      return showValues(
        output.fields,
        compared.length > 0 ? compared : candidates(kinds, scope),
        scope,
      );
    case "sharing":
      return findSharing(output.field, heads[0], kinds[0] ?? "Pod", scope);
    case "occurrences":
      return countOccurrences(output.words, scope);
    case "differences":
      return printDifferences(heads, view);
  }
  const whole = candidates(kinds, scope);
  const missing = kinds.filter((kind) => unread([kind], view));
  if (whole.length === 0 && missing.length > 0)
    return cannotTell(subject, `${plurals(missing)} were not read`);
  const kept = whole.filter((object) =>
    filters.every((filter) => filter.test(object, view) ?? true),
  );
  const by = filters.map((filter) => filter.text);
  if (output.to === "groups") return { ...countGroups(output, kept, scope), by };
  const rows = rowsOf(
    output.field,
    compared.length > 1 && output.to !== "sum" ? compared : kept,
    view,
  );
  if (rows.length === 0) return lacking(output.field, scope);
  if (output.to === "extreme") return { ...findExtreme(output, rows, kinds, scope), by };
  return {
    ...(output.to === "sum"
      ? addUp(output.field, rows, kinds, scope)
      : compareAll(output, rows, kinds)),
    objects: rows.map(({ object }) => object),
    by,
  };
}

function compareTwo(
  [first, second]: readonly Row[],
  { field, isMore }: Extract<Output, { to: "compare" }>,
  scope: LookupScope,
): LookedUp {
  if (first === undefined || second === undefined) return lacking(field, scope);
  const isEqual = first.found.value === second.found.value;
  const holds = !isEqual && first.found.value > second.found.value === isMore;
  const [one, other] = [first, second].map(({ object }) => toObjectId(object));
  return {
    head:
      field.name === "age"
        ? `${holds ? "Yes" : "No"}: ${one} is ${first.found.text} old, ${other} ${second.found.text}`
        : `${holds ? "Yes" : "No"}: ${one} has ${describeValue(field, first.found)}, ${other} has ${isEqual ? "as many" : second.found.text}`,
    lines: [],
    objects: [first.object, second.object],
  };
}

/** Fields of things beside each other: two of them in a sentence, the others a line each. */
function showValues(
  asked: readonly Field[],
  things: readonly KubernetesObject[],
  scope: LookupScope,
): LookedUp {
  const { named, view } = scope;
  const rows = things.flatMap((object) => {
    const { name, namespace } = object.metadata;
    // "The most replicas of web" are in its autoscaler.
    const same = named.filter(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
    const found = asked.map((field) => {
      const [value] = [object, ...same].flatMap((one) => field.read(one, view) ?? []);
      return value === undefined ? undefined : describeValue(field, value);
    });
    if (found.every((text) => text === undefined)) return [];
    const text = found.map((one, index) => one ?? `no ${asked[index]?.name}`).join(", ");
    return [{ of: object, text }];
  });
  const [only] = asked;
  const isAge = asked.every(({ name }) => name === "age");
  if (rows.length === 0 && only !== undefined) return lacking(only, scope);
  return {
    head: rows
      .slice(0, maxBeside)
      .map(({ of, text }) => `${toObjectId(of)} ${isAge ? "is" : "has"} ${text}`)
      .join("; "),
    lines: rows.slice(maxBeside),
    objects: rows.map(({ of }) => of),
  };
}

/** Things that have the same value as one. */
function findSharing(
  field: Field,
  head: KubernetesObject | undefined,
  kind: KindName,
  scope: LookupScope,
): LookedUp {
  const own = head === undefined ? undefined : field.read(head, scope.view)?.text;
  if (head === undefined || own === undefined) return lacking(field, scope);
  const others = scope.view
    .list(kind)
    .filter((object) => object !== head && field.read(object, scope.view)?.text === own);
  return {
    head: `${countKinds(others.length, [kind])} ${others.length === 1 ? "has" : "have"} the ${field.name} of ${toObjectId(head)}, ${own}`,
    lines: others.map((of) => ({ of })),
    objects: others,
    by: [],
  };
}

/** The thing with the most or the least of a field, and those after it. */
function findExtreme(
  { field, isMax, word }: Extract<Output, { to: "extreme" }>,
  rows: readonly Row[],
  kinds: readonly KindName[],
  { view, query }: LookupScope,
): LookedUp {
  const sorted = rows.toSorted((a, b) => compareValues(b.found, a.found) * (isMax ? 1 : -1));
  const [first = rows[0]] = sorted;
  if (first === undefined) return { head: "", lines: [], objects: [] };
  const ties = sorted.filter(({ found }) => found.value === first.found.value);
  const names = ties.slice(0, maxTies).map(({ object }) => toObjectId(object));
  const who = `${names.join(", ")}${ties.length > maxTies ? ` and ${ties.length - maxTies} more` : ""}`;
  const isOne = ties.length === 1;
  // "... and where does it run?"
  const node = textAt(first.object, "spec", "nodeName");
  const where = node !== undefined && asksWhere.test(query) ? `, on node ${node}` : "";
  const among = `of ${countKinds(sorted.length, kinds)}`;
  const amount = isMax ? "highest" : "lowest";
  const number = isMax ? "most" : "fewest";
  // What has none of it is not the next of those that have the most.
  const next = sorted
    .slice(0, maxRanked)
    .filter(({ found }) => !isMax || found.value !== 0 || first.found.value === 0);
  if (ties.length === sorted.length && ties.length > 1)
    return {
      head: `All ${countKinds(ties.length, kinds)} have the same ${field.name}: ${first.found.text}`,
      lines: ties.map(({ object: of }) => ({ of })),
      objects: ties.map(({ object }) => object),
    };
  // "The oldest", "the biggest": what it is, and not what it has.
  const isSuch =
    field.name === "age" || (field.name === "size" && /^(?:big|larg|small)/.test(word));
  return {
    head: isSuch
      ? `${who} ${isOne ? "is" : "are"} the ${word} ${among}, ${describeValue(field, first.found)}${where}`
      : `${who} ${isOne ? "has" : "have"} the ${isPlural(field) ? number : amount} ${field.name} ${among}: ${first.found.text}${where}`,
    lines: next.length === 1 ? [] : next.map((row) => lineOf(row, field, view)),
    objects: sorted.slice(0, maxRanked).map(({ object }) => object),
  };
}

/** A sum, with what it is made of, the largest first. */
function addUp(
  field: Field,
  rows: readonly Row[],
  kinds: readonly KindName[],
  { subject, view }: LookupScope,
): LookedUp {
  const total = rows.reduce((sum, { found }) => sum + Number(found.value), 0);
  const isUnit = rows.some(({ found }) => !Number.isFinite(Number(found.text)));
  const text = isUnit ? printQuantity(total) : String(Math.round(total * 1_000) / 1_000);
  return {
    head: `${countKinds(rows.length, kinds)} ${printPlace(subject)} ${rows.length === 1 ? "has" : "have"} ${text} ${field.name} in total`,
    lines: rows
      .toSorted((a, b) => compareValues(b.found, a.found))
      .map((row) => lineOf(row, field, view)),
    objects: [],
  };
}

/** Whether all have the same value, or each its own. */
function compareAll(
  { field, isDifferent }: Extract<Output, { to: "same" }>,
  rows: readonly Row[],
  kinds: readonly KindName[],
): LookedUp {
  const values = new Map<string, Row[]>();
  for (const row of rows) values.set(row.found.text, [...(values.get(row.found.text) ?? []), row]);
  const isSame = values.size === 1;
  const holds = isDifferent === true ? values.size === rows.length : isSame;
  const counts = [...values].map(([value, some]) => `${value} (${some.length})`).join(", ");
  return {
    head:
      isSame && isDifferent !== true
        ? `Yes: all ${countKinds(rows.length, kinds)} have the same ${field.name}, ${rows[0]?.found.text ?? ""}`
        : `${holds ? "Yes" : "No"}: ${countKinds(rows.length, kinds)} have ${values.size} values of ${field.name}${isDifferent === true ? `: ${counts}` : ""}`,
    lines:
      isSame || isDifferent === true
        ? []
        : [...values].map(([of, some]) => ({
            of,
            text: some.map(({ object }) => toObjectId(object)).join(", "),
          })),
    objects: [],
  };
}

/** How many things there are for each other thing, or for each value. */
function countGroups(
  { of, per, most }: Extract<Output, { to: "groups" }>,
  kept: readonly KubernetesObject[],
  { subject, view }: LookupScope,
): LookedUp {
  const groups = new Map<string, KubernetesObject[]>();
  for (const object of kept)
    for (const key of keysOf(per, object, view))
      groups.set(key, [...(groups.get(key) ?? []), object]);
  if (most !== undefined) groups.delete(unscheduled);
  // What has none of them is a group all the same.
  for (const one of typeof per === "string" ? view.list(per) : []) {
    const isInPlace = isKindName(one.kind) && getKind(one.kind).namespaced;
    const key = isInPlace ? toObjectId(one) : one.metadata.name;
    if (!groups.has(key)) groups.set(key, []);
  }
  const sign = most === "min" ? -1 : 1;
  const sorted = [...groups].sort((a, b) => (b[1].length - a[1].length) * sign);
  const [first] = sorted;
  const what = plurals([of]);
  const by = typeof per === "string" ? per.toLowerCase() : per.name;
  if (first === undefined)
    return cannotTell(subject, `no ${what} with a ${by} is in what was read`);
  const number = first[1].length;
  const ties = sorted.flatMap(([key, some]) => (some.length === number ? [key] : []));
  return {
    head:
      most === undefined
        ? `${countKinds(kept.length, [of])} by ${by}: ${sorted
            .slice(0, maxGroups)
            .map(([key, some]) => `${key} (${some.length})`)
            .join(", ")}`
        : `${ties.slice(0, maxTies).join(", ")} ${ties.length === 1 ? "has" : "have"} the ${most === "min" ? "fewest" : "most"} ${what} of ${typeof per === "string" ? countKinds(sorted.length, [per]) : `${sorted.length} values`}: ${number}`,
    lines:
      most === undefined && sorted.length <= maxGroups
        ? []
        : sorted.map(([key, some]) => ({ of: key, text: countKinds(some.length, [of]) })),
    objects: first[1],
  };
}

/** Objects of the kinds that a query is about: on a node that it names, else in what it is about. */
function candidates(
  kinds: readonly KindName[],
  { named, objects, view }: LookupScope,
): readonly KubernetesObject[] {
  const nodes = named.flatMap(({ kind, metadata }) => (kind === "Node" ? [metadata.name] : []));
  const isOnNode = nodes.length > 0 && kinds.includes("Pod");
  return (isOnNode ? view.list("Pod") : objects).filter(
    (object) =>
      kinds.some((kind) => kind === object.kind) &&
      !isTrace(object) &&
      (nodes.length === 0 ||
        object.kind !== "Pod" ||
        nodes.includes(textAt(object, "spec", "nodeName") ?? "")),
  );
}

function rowsOf(field: Field, objects: readonly KubernetesObject[], view: ClusterView): Row[] {
  return objects.flatMap((object) => {
    const found = field.read(object, view);
    return found === undefined ? [] : [{ object, found }];
  });
}

function compareValues(a: FieldValue, b: FieldValue): number {
  if (typeof a.value === "number" && typeof b.value === "number") return a.value - b.value;
  return String(a.value).localeCompare(String(b.value), "en", { numeric: true });
}

function lineOf({ object, found }: Row, field: Field, view: ClusterView): Line {
  return { of: object, text: field.describe?.(object, view) ?? describeValue(field, found) };
}

/** What cannot be computed, and why. */
function lacking({ name, isUsage }: Field, { subject, view }: LookupScope): LookedUp {
  const why =
    isUsage === true && view.usage.length === 0
      ? "usage is measured by metrics.k8s.io, which was not read or is not there"
      : `nothing that was read has a ${name}`;
  return cannotTell(`${name} of ${subject}`, why);
}

/** The group of the pods that are on no node; it is counted, and is no node that has the most or the fewest. */
const unscheduled = "no node";

/** Keys of the groups that an object is in: its node, its namespace, what it belongs to, or the value of a field. */
function keysOf(per: Grouping, object: KubernetesObject, view: ClusterView): readonly string[] {
  if (typeof per !== "string") {
    const found = per.read(object, view);
    return found === undefined ? [] : [found.text];
  }
  if (per === "Node") return [textAt(object, "spec", "nodeName") ?? unscheduled];
  if (per === "Namespace")
    return object.metadata.namespace === undefined ? [] : [object.metadata.namespace];
  const top = findTopOwner(object, view);
  const owner = view.owner(object);
  return [top, owner].flatMap((one) => (one?.kind === per ? [toObjectId(one)] : [])).slice(0, 1);
}

import { redactSecrets } from "@constellation/authoring";
import { createPhrases } from "@constellation/nlu";
import { dump } from "js-yaml";
import { isInState } from "../answer/in-state.js";
import type { LookedUp } from "../answer/lookup-scope.js";
import { cut } from "../answer/lookup-scope.js";
import { code, escaped } from "../answer/markdown.js";
import { plurals, unread } from "../answer/unread.js";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import { getKind, isKindName, type KindName } from "../cluster/kinds.js";
import { printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { stateIn } from "../question/state-words.js";
import { type Field, type FieldValue, printQuantity, usageFields } from "./fields.js";
import { collectLeaves, printLeaf, redactedItems } from "./leaves.js";
import { distinctHeads, type Grouping, type Query } from "./query.js";

/** What a query is run over. */
export interface QueryScope {
  readonly subject: string;
  /** Objects that the question names. */
  readonly named: readonly KubernetesObject[];
  /** Everything that it is about. */
  readonly objects: readonly KubernetesObject[];
  readonly view: ClusterView;
  /** The question, for the order of what it names. */
  readonly text: string;
}

/** Maximum number of characters of a manifest. */
const maxManifest = 3_400;
/** Maximum number of fields that two objects differ in, and of characters of a value. */
const maxDifferences = 15;
/** Maximum number of objects beside each other in one sentence. */
const maxBeside = 2;
const maxValue = 80;

const asksWhere = createPhrases("where, which|what node");

interface Row {
  readonly object: KubernetesObject;
  readonly found: FieldValue;
}

/** Computes what a query asks, other than a list or a count. */
export function runQuery({ kinds, filters, output }: Query, scope: QueryScope): LookedUp {
  const { named, view, subject, text } = scope;
  const ofKinds = named.filter(({ kind }) => kinds.some((one) => one === kind));
  const heads = distinctHeads(ofKinds.length > 1 ? ofKinds : named).toSorted(
    (a, b) => text.indexOf(a.metadata.name) - text.indexOf(b.metadata.name),
  );
  // "Which of a and b is older" is about these two.
  const compared = heads.filter(({ kind }) => kinds.some((one) => one === kind));
  switch (output.to) {
    case "yaml":
      return printManifest(heads[0], kinds, named);
    case "compare": {
      const rows = rowsOf(output.field, heads, view);
      const [first, second] = rows;
      if (first === undefined || second === undefined) return lacking(output.field, subject, view);
      const isMore = first.found.value > second.found.value;
      const isEqual = first.found.value === second.found.value;
      const holds = !isEqual && isMore === output.isMore;
      return {
        head: `${holds ? "Yes" : "No"}: ${toObjectId(first.object)} has ${describe(first.found, output.field)}, ${toObjectId(second.object)} has ${first.found.value === second.found.value ? "as many" : second.found.text}`,
        lines: [],
        objects: rows.map(({ object }) => object),
      };
    }
    case "values": {
      const shown = compared.length > 0 ? compared : candidates(kinds, scope);
      const rows = shown.flatMap((object) => {
        const { name, namespace } = object.metadata;
        // "The most replicas of web" are in its autoscaler.
        const same = named.filter(
          ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
        );
        const found = output.fields.map((field) => ({
          field,
          value: [object, ...same]
            .map((one) => field.read(one, view))
            .find((one) => one !== undefined),
        }));
        if (found.every(({ value }) => value === undefined)) return [];
        return [
          {
            object,
            text: found
              .map(({ field, value }) =>
                value === undefined ? `no ${field.name}` : describe(value, field),
              )
              .join(", "),
          },
        ];
      });
      const [onlyField] = output.fields;
      if (rows.length === 0 && onlyField !== undefined) return lacking(onlyField, subject, view);
      return {
        head: rows
          .slice(0, maxBeside)
          .map(({ object, text: said }) => `${toObjectId(object)} has ${said}`)
          .join("; "),
        lines: cut(
          rows
            .slice(maxBeside)
            .map(({ object, text: said }) => `${code(toObjectId(object))}: ${escaped(said)}`),
        ),
        objects: rows.map(({ object }) => object),
      };
    }
    case "sharing": {
      const [head] = heads;
      const own = head === undefined ? undefined : output.field.read(head, view)?.text;
      if (head === undefined || own === undefined) return lacking(output.field, subject, view);
      const others = view
        .list(kinds[0] ?? "Pod")
        .filter((object) => object !== head && output.field.read(object, view)?.text === own);
      return {
        head: `${others.length} ${plurals(kinds)} have the ${output.field.name} of ${toObjectId(head)}, ${own}`,
        lines: cut(others.map((object) => code(toObjectId(object)))),
        objects: others,
        by: [],
      };
    }
    case "occurrences":
      return countOccurrences(output.words, scope);
    case "differences":
      return printDifferences(heads.slice(0, 2));
  }
  const whole = candidates(kinds, scope);
  const missing = kinds.filter((kind) => unread([kind], view));
  if (whole.length === 0 && missing.length > 0)
    return {
      head: `${subject}: not known, as ${plurals(missing)} were not read.`,
      lines: [],
      objects: [],
      isUnread: true,
    };
  const kept = whole.filter((object) =>
    filters.every((filter) => filter.test(object, view) ?? true),
  );
  const by = filters.map(({ text }) => text);
  switch (output.to) {
    case "extreme": {
      const sorted = rowsOf(output.field, compared.length > 1 ? compared : kept, view).sort(
        (a, b) => compareValues(b.found, a.found) * (output.isMax ? 1 : -1),
      );
      const [first] = sorted;
      if (first === undefined) return lacking(output.field, subject, view);
      const ties = sorted.filter(({ found }) => found.value === first.found.value);
      // "... and where does it run?"
      const node = textAt(first.object, "spec", "nodeName");
      const where = node !== undefined && asksWhere.test(text) ? ` on node ${node}` : "";
      return {
        head: `${ties
          .slice(0, 3)
          .map(({ object }) => toObjectId(object))
          .join(
            ", ",
          )}${ties.length > 3 ? ` and ${ties.length - 3} more` : ""}: ${describe(first.found, output.field)}${where}, the ${output.word} of ${sorted.length} ${plurals(kinds)}`,
        lines: cut(sorted.slice(0, 6).map((row) => lineOf(row, output.field, view))),
        objects: sorted.slice(0, 6).map(({ object }) => object),
        by,
      };
    }
    case "sum": {
      const rows = rowsOf(output.field, kept, view);
      const total = rows.reduce((sum, { found }) => sum + Number(found.value), 0);
      if (rows.length === 0 || Number.isNaN(total)) return lacking(output.field, subject, view);
      return {
        head: `${subject}: ${printTotal(total, rows)} ${output.field.name} in total, of ${rows.length} ${plurals(kinds)}`,
        lines: cut(
          rows
            .sort((a, b) => compareValues(b.found, a.found))
            .map((row) => lineOf(row, output.field, view)),
        ),
        objects: rows.map(({ object }) => object),
        by,
      };
    }
    case "same": {
      const rows = rowsOf(output.field, compared.length > 1 ? compared : kept, view);
      const values = new Map<string, KubernetesObject[]>();
      for (const { object, found } of rows)
        values.set(found.text, [...(values.get(found.text) ?? []), object]);
      if (rows.length === 0) return lacking(output.field, subject, view);
      const [only] = values.keys();
      if (output.isDifferent === true) {
        const isEach = values.size === rows.length;
        return {
          head: `${isEach ? "Yes" : "No"}: ${rows.length} ${plurals(kinds)} have ${values.size} values of ${output.field.name}: ${[...values].map(([value, some]) => `${value} (${some.length})`).join(", ")}`,
          lines: [],
          objects: rows.map(({ object }) => object),
          by,
        };
      }
      return {
        head:
          values.size === 1
            ? `Yes: all ${rows.length} ${plurals(kinds)} have the same ${output.field.name}, ${only ?? ""}`
            : `No: ${rows.length} ${plurals(kinds)} have ${values.size} values of ${output.field.name}: ${[...values].map(([value, some]) => `${value} (${some.length})`).join(", ")}`,
        lines:
          values.size === 1
            ? []
            : cut(
                [...values].map(
                  ([value, some]) =>
                    `${escaped(value)}: ${some.map((one) => code(toObjectId(one))).join(", ")}`,
                ),
              ),
        objects: rows.map(({ object }) => object),
        by,
      };
    }
    case "groups": {
      const groups = new Map<string, KubernetesObject[]>();
      for (const object of kept)
        for (const key of keysOf(output.per, object, view))
          groups.set(key, [...(groups.get(key) ?? []), object]);
      // What has none of them is a group all the same.
      if (typeof output.per === "string")
        for (const one of view.list(output.per)) {
          const key =
            isKindName(output.per) && getKind(output.per).namespaced
              ? toObjectId(one)
              : one.metadata.name;
          if (!groups.has(key)) groups.set(key, []);
        }
      const sign = output.most === "min" ? -1 : 1;
      const sorted = [...groups].sort((a, b) => (b[1].length - a[1].length) * sign);
      const [first] = sorted;
      const what = plurals([output.of]);
      const per = typeof output.per === "string" ? output.per.toLowerCase() : output.per.name;
      if (first === undefined)
        return {
          head: `${subject}: no ${what} with a ${per} in what was read`,
          lines: [],
          objects: [],
          isUnread: true,
        };
      const ties = sorted.filter(([, some]) => some.length === first[1].length);
      return {
        head:
          output.most === undefined
            ? `${kept.length} ${what} by ${per}: ${sorted
                .slice(0, 8)
                .map(([key, some]) => `${key} ${some.length}`)
                .join(", ")}`
            : `${ties
                .slice(0, 3)
                .map(([key]) => key)
                .join(
                  ", ",
                )}: ${first[1].length} ${what}, the ${output.most === "min" ? "fewest" : "most"} of ${sorted.length}`,
        lines: cut(sorted.map(([key, some]) => `${code(key)}: ${some.length} ${what}`)),
        objects: first[1],
        by,
      };
    }
  }
}

/** Letters that a word and the reason of an event share: "evicted", `Evicted`; "failed", `FailedMount`. */
const minStem = 4;

/** How often something happened: by events whose reason has a word of the question, and by objects that are in that state. */
function countOccurrences(
  words: readonly string[],
  { objects, named, subject, view }: QueryScope,
): LookedUp {
  const stems = words
    .filter((word) => word.length >= minStem)
    .map((word) => word.slice(0, minStem + 1));
  const isMeant = (reason: string) => stems.some((stem) => reason.toLowerCase().includes(stem));
  const all = [...new Set([...named, ...objects])];
  const events = all.flatMap((object) =>
    view.events(object).flatMap((event) => (isMeant(event.reason) ? [{ object, event }] : [])),
  );
  const state = stateIn(words.join(" "));
  const left = all.filter(
    (object) =>
      isMeant(textAt(object, "status", "reason") ?? "") ||
      (state !== undefined &&
        object.kind !== "Pod" &&
        isMeant(state) &&
        isInState(object, state, { view, query: "", broken: new Set() }) === true),
  );
  const counted = events.reduce((sum, { event }) => sum + Math.max(1, event.count), 0);
  const times = Math.max(counted, left.length);
  const last = events.flatMap(({ event }) => event.lastSeen ?? []).sort((a, b) => b - a)[0];
  return {
    head:
      times === 0
        ? `${subject}: nothing of that is recorded; events expire, by default after an hour, so it may have happened before`
        : `${subject}: ${times} ${times === 1 ? "time" : "times"}${last === undefined ? "" : `, the last one ${printMoment(last, view.now)} UTC`}, by ${left.length >= counted ? `${left.length} objects that are left` : "events"}`,
    lines: cut([
      ...left.map(
        (object) =>
          `${code(toObjectId(object))}: ${escaped(textAt(object, "status", "reason") ?? "")}`,
      ),
      ...events.map(
        ({ object, event }) =>
          `${code(toObjectId(object))}: ${escaped(`${event.reason}, ${event.count} times`)}`,
      ),
    ]),
    objects: [...new Set([...left, ...events.map(({ object }) => object)])],
    by: [],
  };
}

/** Objects of the kinds that a query is about: on a node that it names, else in what it is about. */
function candidates(
  kinds: readonly KindName[],
  { named, objects, view }: QueryScope,
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

/** A sum, with a unit where its parts have one. */
function printTotal(total: number, rows: readonly Row[]): string {
  const isUnit = rows.some(({ found }) => !Number.isFinite(Number(found.text)));
  return isUnit ? printQuantity(total) : String(Math.round(total * 1_000) / 1_000);
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

function describe({ text, value }: FieldValue, field: Field): string {
  const isPlural = field.name.endsWith("s") && field.name === field.name.toLowerCase();
  return typeof value === "number" && String(value) === text && isPlural
    ? `${text} ${field.name}`
    : `${field.name} ${text}`;
}

function lineOf({ object, found }: Row, field: Field, view: ClusterView): string {
  return `${code(toObjectId(object))}: ${escaped(field.describe?.(object, view) ?? describe(found, field))}`;
}

/** What cannot be computed, and why. */
function lacking(field: Field, subject: string, view: ClusterView): LookedUp {
  const why =
    usageFields.has(field.name) && view.usage.length === 0
      ? "usage is measured by metrics.k8s.io, which was not read or is not there"
      : `nothing that was read has a ${field.name}`;
  return {
    head: `${subject}: ${field.name} cannot be said: ${why}.`,
    lines: [],
    objects: [],
    isUnread: true,
  };
}

/** Keys of the groups that an object is in: its node, its namespace, what it belongs to, or the value of a field. */
function keysOf(per: Grouping, object: KubernetesObject, view: ClusterView): readonly string[] {
  if (typeof per !== "string") {
    const found = per.read(object, view);
    return found === undefined ? [] : [found.text];
  }
  if (per === "Node") return [textAt(object, "spec", "nodeName") ?? "no node"];
  if (per === "Namespace")
    return object.metadata.namespace === undefined ? [] : [object.metadata.namespace];
  const top = findTopOwner(object, view);
  const owner = view.owner(object);
  return [top, owner].flatMap((one) => (one?.kind === per ? [toObjectId(one)] : [])).slice(0, 1);
}

function printManifest(
  first: KubernetesObject | undefined,
  kinds: readonly KindName[],
  named: readonly KubernetesObject[],
): LookedUp {
  const object = named.find(({ kind }) => kinds.some((one) => one === kind)) ?? first;
  if (object === undefined)
    return { head: "Nothing was found.", lines: [], objects: [], isUnread: true };
  const { kind, apiVersion, metadata, ...rest } = object;
  const { managedFields: _, ...own } = metadata as typeof metadata & {
    readonly managedFields?: unknown;
  };
  const { isTrace: __, ...parts } = rest as typeof rest & { readonly isTrace?: unknown };
  const text = redactSecrets(
    dump(withoutSecrets({ apiVersion, kind, metadata: own, ...parts }), {
      lineWidth: 140,
      noRefs: true,
      skipInvalid: true,
    }),
    { maxLength: 200_000 },
  );
  const lines = text.split("\n");
  let shown = 0;
  let length = 0;
  while (shown < lines.length && length + (lines[shown]?.length ?? 0) < maxManifest) {
    length += (lines[shown]?.length ?? 0) + 1;
    shown++;
  }
  const left = lines.length - shown;
  return {
    head: `${toObjectId(object)}, as it was read${left > 1 ? `; ${left} more lines are not shown` : ""}`,
    lines: [],
    block: lines.slice(0, shown).join("\n"),
    objects: [object],
  };
}

/** A copy in which a secret behind its flag, in a command line, is hidden. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every((one) => typeof one === "string")
      ? redactedItems(value)
      : value.map(withoutSecrets);
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutSecrets(one)]))
    : value;
}

/** Fields that differ between any two objects and say nothing. */
const own =
  /^metadata\.(?:name|uid|resourceVersion|creationTimestamp|generation|selfLink|generateName)\b|(?:Time|Timestamp|UID|ID|uid|hash)$|heartbeat|\.(?:addresses|images|podCIDRs?|providerID)\b|hostname/i;

function printDifferences([one, other]: readonly KubernetesObject[]): LookedUp {
  if (one === undefined || other === undefined)
    return {
      head: "Two things are needed for a comparison.",
      lines: [],
      objects: [],
      isUnread: true,
    };
  const [left, right] = [one, other].map(
    (object) =>
      new Map(
        collectLeaves(object).flatMap(({ path, value }) =>
          own.test(path) ? [] : [[path, printLeaf(value, maxValue)] as const],
        ),
      ),
  ) as [Map<string, string>, Map<string, string>];
  const paths = [...new Set([...left.keys(), ...right.keys()])].filter(
    (path) => left.get(path) !== right.get(path),
  );
  // What people set comes before what controllers report.
  paths.sort((a, b) => Number(a.startsWith("status")) - Number(b.startsWith("status")));
  const names = [one, other].map(({ metadata }) => metadata.name);
  return {
    head:
      paths.length === 0
        ? `${toObjectId(one)} and ${toObjectId(other)} do not differ in what was read`
        : `${toObjectId(one)} and ${toObjectId(other)} differ in ${paths.length} fields`,
    lines: [
      ...paths
        .slice(0, maxDifferences)
        .map(
          (path) =>
            `${code(path)}: ${names[0]} ${escaped(left.get(path) ?? "not set")}, ${names[1]} ${escaped(right.get(path) ?? "not set")}`,
        ),
      ...(paths.length > maxDifferences ? [`and ${paths.length - maxDifferences} more`] : []),
    ],
    objects: [one, other],
  };
}

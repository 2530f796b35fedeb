import { readFileSync } from "node:fs";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt, textAt, valueAt } from "../cluster/fields.js";
import { getKind, isKindName } from "../cluster/kinds.js";
import { type ClusterView, oncePerView, slicesOf } from "./cluster-view.js";
import { idFrom, toObjectId } from "./object-id.js";
import { matchesSelector } from "./selector.js";
import type { SignalType } from "./signal-type.js";

/**
 * What an object names or selects, and what of it has to agree with the other end: a row of `data/agreements.json`. In a
 * path, `[]` is each item of a list.
 */
interface Agreement {
  /** Kinds with the reference. */
  readonly from: readonly string[];
  /** Paths of what holds a reference. */
  readonly each: readonly string[];
  /** Kind of the other end where the reference has no `kind`, and where in it the name and the namespace are. */
  readonly to?: string;
  readonly name?: readonly string[];
  readonly namespace?: string;
  /** True where a question about the object is about the other end, too. */
  readonly represents?: boolean;
  /** Instead of `to`: the endpoints of a Service, or the Services that a selector meets. */
  readonly across?: "endpoints" | "services";
  readonly agree?: readonly {
    /** What has to agree: `port`. */
    readonly word: string;
    /** Paths below the reference; the first that is there counts. */
    readonly value: readonly string[];
    /** What an absent value is. */
    readonly default?: string | number;
    /** Paths in the other end with the values that there are. */
    readonly among: readonly string[];
  }[];
  /** What it is that the other end is missing, or does not agree; nothing where other detectors report that. */
  readonly signal?: SignalType;
  /** What that means for the object: `cannot route`. */
  readonly means?: string;
}

const table = JSON.parse(
  readFileSync(new URL("../../data/agreements.json", import.meta.url), "utf8"),
) as readonly Agreement[];
const rowsOf = new Map<string, readonly Agreement[]>();
for (const row of table)
  for (const kind of row.from) rowsOf.set(kind, [...(rowsOf.get(kind) ?? []), row]);

/** A reference that leads nowhere, or to what does not agree with it. */
export interface Disagreement {
  readonly signal: SignalType;
  readonly means: string;
  /** `service api has no port 8081 (it has 8080)` */
  readonly text: string;
  readonly at: string;
  readonly shown: string;
}

/** Values at a path, each with its own path. */
function collect(value: unknown, path: string): readonly { value: unknown; at: string }[] {
  return path.split(".").reduce<readonly { value: unknown; at: string }[]>(
    (found, step) =>
      found.flatMap(({ value: one, at }) => {
        const field = step.replace("[]", "");
        const below = valueAt(one, field);
        const place = at === "" ? field : `${at}.${field}`;
        if (!step.endsWith("[]")) return below === undefined ? [] : [{ value: below, at: place }];
        return Array.isArray(below)
          ? below.map((each: unknown, index) => ({ value: each, at: `${place}[${index}]` }))
          : [];
      }),
    [{ value, at: "" }],
  );
}

function firstOf(value: unknown, paths: readonly string[]): unknown {
  return paths.map((path) => valueAt(value, ...path.split("."))).find((one) => one !== undefined);
}

/** An object that another one names in a field of the table. */
export interface Named {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly at: string;
  readonly row: Pick<Agreement, "signal" | "represents">;
}

/** Everything that an object names in a field of the table. */
export function listNamed(object: KubernetesObject): readonly Named[] {
  return (rowsOf.get(object.kind) ?? []).flatMap((row) =>
    row.each
      .flatMap((path) => collect(object, path))
      .flatMap(({ value, at }) => namedIn(row, object, value, at)),
  );
}

function namedIn(
  row: Agreement,
  object: KubernetesObject,
  value: unknown,
  at: string,
): readonly Named[] {
  const paths = row.name ?? [];
  const name = firstOf(value, paths);
  if (typeof name !== "string" || name === "") return [];
  // The spec of an object has no kind of its own.
  const kind = textAt(value, "kind") ?? row.to ?? "";
  const isPlaced = !isKindName(kind) || getKind(kind).namespaced;
  const place = textAt(value, row.namespace ?? "namespace") ?? object.metadata.namespace;
  return [{ kind, name, namespace: isPlaced ? place : undefined, at, row }];
}

/** What an object names, as far as it is there. */
export function findNamed(
  object: KubernetesObject,
  view: ClusterView,
  isMeant: (row: Named["row"]) => boolean = () => true,
): readonly KubernetesObject[] {
  return listNamed(object).flatMap(({ kind, namespace, name, row }) =>
    isMeant(row) ? (view.get(kind, namespace, name) ?? []) : [],
  );
}

/** Objects that name an object in a field of the table. */
export function usersOf(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  return indexUsers(view).get(toObjectId(object)) ?? [];
}

const indexUsers = oncePerView((view) => {
  const index = new Map<string, KubernetesObject[]>();
  for (const object of [...rowsOf.keys()].filter(isKindName).flatMap((kind) => view.list(kind)))
    for (const { kind, namespace, name } of listNamed(object)) {
      const id = idFrom(kind, namespace, name);
      const list = index.get(id);
      if (list === undefined) index.set(id, [object]);
      else if (list.at(-1) !== object) list.push(object);
    }
  return index;
});

/** Every reference of an object that does not exist, or does not agree with what it leads to. */
export function findDisagreements(
  object: KubernetesObject,
  view: ClusterView,
): readonly Disagreement[] {
  return (rowsOf.get(object.kind) ?? []).flatMap((row) => {
    const { signal, means } = row;
    if (signal === undefined || means === undefined) return [];
    return row.each
      .flatMap((path) => collect(object, path))
      .flatMap(({ value, at }) => {
        const end = findEnd(row, object, value, view);
        if (end === undefined) return [];
        const { others, label } = end;
        const base = { signal, means, at };
        if (others.length === 0)
          return [{ ...base, text: `${label} does not exist`, shown: label }];
        return (row.agree ?? []).flatMap((one) => {
          const wanted = firstOf(value, one.value) ?? one.default;
          const there = others.flatMap((other) => listValues(other, one.among, one.default));
          if (wanted === undefined || there.length === 0 || there.includes(wanted)) return [];
          const named = `${one.word} ${wanted === "" ? "(none)" : String(wanted)}`;
          const listed = [...new Set(there.map(String))].join(", ");
          const text = `${label} has no ${named} (it has ${listed})`;
          return [{ ...base, text, shown: `${label} ${named}` }];
        });
      });
  });
}

/** Values at paths of the other end; for an item without one, what an absent value is. */
function listValues(
  other: KubernetesObject,
  paths: readonly string[],
  absent: string | number | undefined,
): readonly unknown[] {
  return paths.flatMap((path) => {
    const cut = path.lastIndexOf(".");
    const field = path.slice(cut + 1);
    return collect(other, path.slice(0, cut)).flatMap(
      ({ value }) => valueAt(value, field) ?? absent ?? [],
    );
  });
}

/** What a reference leads to, empty where that does not exist. Undefined where nothing is known of it. */
function findEnd(
  row: Agreement,
  object: KubernetesObject,
  item: unknown,
  view: ClusterView,
): { readonly others: readonly KubernetesObject[]; readonly label: string } | undefined {
  if (row.across !== undefined) {
    const isEndpoints = row.across === "endpoints";
    const others = isEndpoints ? listEndpoints(object, view) : selected(object, view);
    const label = isEndpoints ? "what its endpoints are" : "what it selects";
    return others.length === 0 ? undefined : { others, label };
  }
  const [end] = namedIn(row, object, item, "");
  if (end === undefined) return undefined;
  const { kind, namespace, name } = end;
  if (view.presence(kind, namespace, name) === "unread") return undefined;
  const found = view.get(kind, namespace, name);
  const isOwn = namespace === object.metadata.namespace;
  const label = `${kind === "Service" ? "service" : kind} ${name}${isOwn ? "" : ` of namespace ${namespace ?? ""}`}`;
  return { others: found === undefined ? [] : [found], label };
}

/** Endpoints of a Service that are written by hand: the control plane's own follow the Service. */
function listEndpoints(service: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const { name, namespace } = service.metadata;
  if (Object.keys(recordAt(service, "spec", "selector")).length > 0) return [];
  return [view.get("Endpoints", namespace, name) ?? [], slicesOf(service, view)].flat();
}

function selected(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const selector = recordAt(object, "spec", "selector");
  return view
    .list("Service")
    .filter(
      ({ metadata }) =>
        metadata.namespace === object.metadata.namespace &&
        matchesSelector(selector, metadata.labels ?? {}),
    );
}

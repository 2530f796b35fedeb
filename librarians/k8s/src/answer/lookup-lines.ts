import { readQuestion } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName } from "../cluster/kinds.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { findFields } from "../query/fields.js";
import { namedFields } from "../query/leaves.js";
import { runList } from "../query/list.js";
import { asksNumber } from "../question/asking.js";
import { fieldsIn, namedFieldsIn } from "../question/field-words.js";
import { kindsIn } from "../question/kind-words.js";
import type { Lookup } from "../question/lookup.js";
import type { Field } from "../question/question-words.js";
import { toWords } from "../question/words.js";
import { findBackingObjects } from "./behind-of.js";
import { changesSince } from "./changes.js";
import { fieldLines } from "./field-lines.js";
import { keyLines } from "./key-lines.js";
import { cut, type LookedUp, type LookupScope } from "./lookup-scope.js";
import { code, escaped } from "./markdown.js";
import { rightsIn } from "./rights-lines.js";
import { lookupNeeds, lookupUsers } from "./use-lines.js";

/** Looks something up among what was read. */
export function runLookup(
  lookup: Exclude<Lookup, "logs">,
  scope: LookupScope,
  view: ClusterView,
): LookedUp {
  switch (lookup) {
    case "changes":
      return changed(scope, view);
    case "fields":
      return scope.named.length === 0 ? runList(false, scope, view) : lookupFields(scope, view);
    case "users":
      return lookupUsers(scope, view);
    case "needs":
      return lookupNeeds(scope, view);
    case "events":
      return eventsIn(scope, view);
    case "rights":
      return rightsIn(scope, view);
    case "count":
    case "list":
      return runList(lookup === "count", scope, view);
  }
}

function changed(
  { subject, objects, query, periodMs: given }: LookupScope,
  view: ClusterView,
): LookedUp {
  // "When was it changed last?" has no span of its own.
  const periodMs = given ?? (/\b(?:when|who|last)\b/i.test(query) ? 90 * 86_400_000 : 3_600_000);
  const changes = changesSince(view.now - periodMs, objects, view);
  const span = printDuration(periodMs);
  if (
    isOfBefore(query) &&
    !changes.some(({ text }) => text.includes("->") || text.includes("revision"))
  )
    return {
      head: `${subject}: what it was before cannot be said: only the present version is recorded, and earlier ones of it are not kept.`,
      lines: cut(changes.map(({ at, text }) => `${printMoment(at, view.now)} UTC: ${text}`)),
      objects,
      isUnread: true,
    };
  return {
    head:
      changes.length === 0
        ? `${subject}: nothing changed in the last ${span} in what was read; deletions leave no trace but events.`
        : `${subject}: ${changes.length} ${changes.length === 1 ? "change" : "changes"} in the last ${span}, newest first.`,
    lines: cut(
      changes.map(
        ({ at, text }) =>
          `${printMoment(at, view.now)} UTC (${printDuration(view.now - at)} ago): ${text}`,
      ),
    ),
    objects: changes.map(({ object }) => object),
  };
}

/** Properties of what a question names. */
function lookupFields(
  { subject, named, objects, kinds, query }: LookupScope,
  view: ClusterView,
): LookedUp {
  const own = kinds.length > 0 ? kinds : ["Deployment", "StatefulSet", "DaemonSet", "CronJob"];
  const shown = named.length > 0 ? named : objects.filter(({ kind }) => own.includes(kind));
  const found = [
    ...fieldsIn(query).flatMap((field) => {
      const own = shown.flatMap((object) => linesOf(field, object, view));
      // "When does the certificate of shop.example.com expire?" names an Ingress.
      if (own.length > 0 || named.length === 0) return own;
      const near = named.flatMap((object) => findBackingObjects(object, view));
      const lines = near.flatMap((one) => linesOf(field, one, view));
      // The volume of a workload is that of its pods' claims.
      return lines.length > 0
        ? lines
        : [...new Set(near.flatMap((one) => findBackingObjects(one, view)))].flatMap((one) =>
            linesOf(field, one, view),
          );
    }),
    ...namedFieldsIn(query).flatMap((key) =>
      shown.flatMap((object) =>
        [object, ...(named.length === 0 ? [] : findBackingObjects(object, view))]
          .map((one) => ({ object: one, lines: keyLines(key, one) }))
          .filter(({ lines }) => lines.length > 0)
          .slice(0, 1)
          .flatMap(({ object: one, lines }) => lines.map((line) => ({ object: one, line }))),
      ),
    ),
  ];
  const before =
    named.length > 0 && isOfBefore(query) ? lookupBefore({ named, query }, view) : undefined;
  if (before !== undefined) return before;
  const free = named.length > 0 ? freeFields({ named, query }, view) : undefined;
  if (free !== undefined && found.length === 0)
    return withNamedFields(free, { named, query }, view);
  // "How many replicas are ready" says `readyReplicas` better than `replicas`.
  if (free?.isLonger === true)
    return {
      ...free,
      lines: cut([
        ...free.lines,
        ...found.map(({ object, line }) => `${code(toObjectId(object))}: ${escaped(line)}`),
      ]),
    };
  const said = new Set(toWords(query.toLowerCase()));
  const isSaid = ({ line }: { readonly line: string }) =>
    said.has(line.split(" ")[0]?.toLowerCase() ?? "");
  // Of several lines of a property the one that has the question's own word comes first.
  found.sort((a, b) => Number(isSaid(b)) - Number(isSaid(a)));
  const [first] = found;
  const single = found.length === 1 ? first : undefined;
  const isPolar = readQuestion(query).act === "yes-no";
  return {
    head:
      first === undefined
        ? `${isPolar ? "No: " : ""}${subject}: it says nothing about that in what was read.`
        : named.length === 0
          ? `${subject}: ${new Set(found.map(({ object }) => object)).size} of them, a line each.`
          : `${isPolar ? "Yes: " : ""}${toObjectId(first.object)}: ${first.line}.`,
    lines:
      single === undefined || named.length === 0
        ? cut(
            found
              .slice(named.length === 0 ? 0 : 1)
              .map(({ object, line }) => `${code(toObjectId(object))}: ${escaped(line)}`),
          )
        : [],
    objects: [...new Set(found.map(({ object }) => object))],
    ...(first === undefined && { isUnread: true }),
  };
}

/** Adds the other fields that a question names: "kubelet version and OS of n1". */
function withNamedFields(
  free: LookedUp,
  { named, query }: Pick<LookupScope, "named" | "query">,
  view: ClusterView,
): LookedUp {
  const [first] = named;
  const others = findFields(query).flatMap((field) => {
    const text = first === undefined ? undefined : field.read(first, view)?.text;
    return text === undefined || free.head.includes(text) ? [] : [`${field.name} ${text}`];
  });
  return others.length === 0
    ? free
    : { ...free, head: `${free.head.replace(/\.$/, "")}, ${others.join(", ")}.` };
}

function isOfBefore(query: string): boolean {
  return /\b(?:before|previous(?:ly)?|used to|old|earlier|former(?:ly)?)\b/i.test(query);
}

/** A property of the revisions of a workload, the newest first: only what its ReplicaSets keep is known of them. */
function lookupBefore(
  { named, query }: Pick<LookupScope, "named" | "query">,
  view: ClusterView,
): LookedUp | undefined {
  const head = named.find((one) => view.owned(one).some(({ kind }) => kind === "ReplicaSet"));
  const fields = fieldsIn(query);
  if (head === undefined || fields.length === 0) return undefined;
  const revision = ({ metadata }: KubernetesObject) =>
    Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
  const sets = view
    .owned(head)
    .filter(({ kind }) => kind === "ReplicaSet")
    .toSorted((a, b) => revision(b) - revision(a));
  const said = sets.map((set) =>
    fields.flatMap((field) => fieldLines(field, set, view)).join(", "),
  );
  const [now] = said;
  const at = said.findIndex((text) => text !== now && text !== "");
  const earlier = sets[at];
  if (earlier === undefined) return undefined;
  return {
    head: `${toObjectId(head)}: revision ${revision(earlier)}, the one before, ${said[at] ?? ""}.`,
    lines: cut(sets.map((set, index) => `${code(toObjectId(set))}: ${escaped(said[index] ?? "")}`)),
    objects: [head, ...sets],
  };
}

function linesOf(field: Field, object: KubernetesObject, view: ClusterView) {
  return fieldLines(field, object, view).map((line) => ({ object, line }));
}

/** Fields of what a question names, or of what is behind it, by their own names. Undefined where its words name none. */
export function freeFields(
  { named, query }: Pick<LookupScope, "named" | "query">,
  view: ClusterView,
): (LookedUp & { readonly isLonger?: boolean }) | undefined {
  const things = [...named, ...named.flatMap((object) => findBackingObjects(object, view))];
  const isCount = asksNumber(query);
  const found = namedFields(
    query,
    [...new Set(things)],
    named.map(({ metadata }) => metadata.name),
    kindsIn(query).flatMap(({ text }) => text.split(" ")),
    isCount || named.every(({ kind }) => !isKindName(kind)),
  );
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  // "Count the paths of ingress api"
  if (isCount && others.length > 0 && others.every(({ object }) => object === first.object))
    return {
      head: `${toObjectId(first.object)}: ${found.length}.`,
      lines: cut(found.map(({ line }) => escaped(line))),
      objects: [first.object],
    };
  return {
    head: `${toObjectId(first.object)}: ${first.line}.`,
    lines: cut(others.map(({ object, line }) => `${code(toObjectId(object))}: ${escaped(line)}`)),
    objects: [first.object],
    isLonger: first.isLong,
  };
}

/** Events of what is asked about, newest first; only warnings where the question says so. */
function eventsIn({ subject, objects, query, periodMs }: LookupScope, view: ClusterView): LookedUp {
  const isStrict = /\bwarn/i.test(query);
  const found = objects
    .flatMap((object) => view.events(object).map((event) => ({ object, event })))
    .filter(({ event }) => !isStrict || event.type === "Warning")
    .filter(
      ({ event: { lastSeen } }) =>
        periodMs === undefined || (lastSeen !== undefined && view.now - lastSeen <= periodMs),
    )
    .sort((a, b) => (b.event.lastSeen ?? 0) - (a.event.lastSeen ?? 0));
  const what = isStrict ? "warning events" : "events";
  return {
    head:
      found.length === 0
        ? `${subject}: no ${what} in what was read; events expire, by default after an hour.`
        : `${subject}: ${found.length} ${what}, newest first.`,
    lines: cut(
      found.map(
        ({ object, event: { lastSeen, reason, message, count } }) =>
          `${lastSeen === undefined ? "no time" : `${printMoment(lastSeen, view.now)} UTC`}: ${code(toObjectId(object))} ${escaped(quote(`${reason}${count > 1 ? ` (${count} times)` : ""}: ${message}`, 160))}`,
      ),
    ),
    objects: [...new Set(found.map(({ object }) => object))],
  };
}

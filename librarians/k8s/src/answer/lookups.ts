import { isAuxiliary, readQuestion } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName } from "../cluster/kinds.js";
import { printDuration } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { listRevisions, revisionOf } from "../diagnosis/revision.js";
import { findBackingObjects } from "../fields/behind-of.js";
import { bindFields } from "../fields/bind-fields.js";
import { fieldNamed, findFields } from "../fields/fields.js";
import { patternOf } from "../fields/leaves.js";
import { describeState, noFailure } from "../fields/state-of.js";
import { runList } from "../query/list.js";
import type { LookupScope } from "../query/lookup-scope.js";
import { asksNumber } from "../question/asking.js";
import { fieldsIn } from "../question/field-words.js";
import { kindsIn } from "../question/kind-words.js";
import type { Lookup } from "../question/lookup.js";
import { asksByForm } from "../question/property.js";
import { isVariable, toWords } from "../question/words.js";
import { changesSince } from "./changes.js";
import { cannotTell, type LookedUp } from "./forms.js";
import { rightsIn } from "./rights-lines.js";
import { lookupNeeds, lookupUsers } from "./use-lines.js";

/** Looks something up among what was read. */
export function runLookup(lookup: Exclude<Lookup, "logs">, scope: LookupScope): LookedUp {
  switch (lookup) {
    case "changes":
      return lookupChanges(scope);
    case "fields":
      return scope.named.length === 0 ? runList(false, scope) : lookupFields(scope);
    case "users":
      return lookupUsers(scope);
    case "needs":
      return orField(lookupNeeds(scope), scope);
    case "events":
      return lookupEvents(scope);
    case "rights":
      return rightsIn(scope);
    case "count":
    case "list":
      return runList(lookup === "count", scope);
  }
}

/** What was found, else a field that the words of the question name: "which key vault does web use?" */
function orField(result: LookedUp, scope: LookupScope): LookedUp {
  return result.objects.length > 0 ? result : (freeFields(scope) ?? result);
}

/** What was changed in the time that a question looks back, newest first; of what was before, the revision that is kept. */
function lookupChanges(scope: LookupScope): LookedUp {
  const { subject, objects, query, periodMs: given, view } = scope;
  // "When was it changed last?" has no span of its own.
  const periodMs = given ?? (/\b(?:when|who|last)\b/i.test(query) ? 90 * 86_400_000 : 3_600_000);
  const changes = changesSince(view.now - periodMs, objects, view);
  const lines = changes.map(({ object: of, at, text }) => ({ at, of, text }));
  if (isOfBefore(query)) {
    const before = lookupBefore(scope);
    if (before !== undefined) return before;
    if (!changes.some(({ text }) => text.includes("->") || text.includes("revision")))
      return {
        ...cannotTell(
          `What ${subject} was before`,
          "only the present version is recorded, and earlier ones are not kept",
        ),
        lines,
        objects,
      };
  }
  const span = printDuration(periodMs);
  const [newest] = changes;
  return {
    head:
      newest === undefined
        ? `${subject}: nothing changed in the last ${span} in what was read; deletions leave no trace but events`
        : `${subject}: ${changes.length} ${changes.length === 1 ? "change" : "changes"} in the last ${span}, the newest ${printDuration(view.now - newest.at)} ago`,
    lines,
    objects: changes.map(({ object }) => object),
  };
}

/** What an object says of itself, and the object. */
interface Clause {
  readonly of: KubernetesObject;
  readonly text: string;
}

/** Fields of what a question names, of what is behind it where it has none itself. */
function lookupFields(scope: LookupScope): LookedUp {
  const { subject, named, query, view } = scope;
  const before = isOfBefore(query) ? lookupBefore(scope) : undefined;
  if (before !== undefined) return before;
  const asked = fieldsIn(query);
  const found = asked
    .map((field) => clausesOf(field, named, view))
    .filter((some) => some.length > 0);
  const free = freeFields(scope);
  // "How many replicas are ready" says `readyReplicas` better than `replicas`.
  if (
    free !== undefined &&
    (found.length === 0 || ((free.words.length > 1 || free.isVariable) && !free.isList))
  )
    return {
      ...withNamedFields(free, scope),
      lines: [...free.lines, ...found.flat()],
    };
  const [word = ""] = query.split(" ");
  const isPolar = readQuestion(query).act === "yes-no" && isAuxiliary(word.toLowerCase());
  const said = new Set(toWords(query.toLowerCase()));
  const isSaid = ({ text }: Clause) => said.has(text.split(" ")[0]?.toLowerCase() ?? "");
  // A Service says the same of its pods as their workload. Of several clauses of a field the one with a word of the question comes first.
  const sorted = found.map((some) =>
    some
      .filter(({ text }, index) => some.findIndex((one) => one.text === text) === index)
      .toSorted((a, b) => Number(isSaid(b)) - Number(isSaid(a))),
  );
  const firsts = sorted.flatMap((some) => some.slice(0, 1));
  if (firsts.length === 0)
    return {
      head: `${isPolar ? "No: " : ""}${subject} has no ${asked.join(" or ") || "field of that name"} in what was read`,
      lines: [],
      objects: [],
      isUnread: true,
    };
  return {
    head: `${isPolar ? "Yes: " : ""}${firsts.map(printClause).join("; ")}`,
    lines: sorted.flatMap((some) => some.slice(1)),
    objects: [...new Set(sorted.flat().map(({ of }) => of))],
  };
}

/** What some objects say of a field; where none does, what is behind them, and behind that. */
function clausesOf(
  field: string,
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly Clause[] {
  let things = [...objects];
  // "When does the certificate of shop.example.com expire?" names an Ingress; a volume is that of its pods' claims.
  for (let depth = 0; depth < 3; depth++) {
    const found = things.flatMap((of) =>
      (fieldNamed(field)?.lines(of, view) ?? []).map((text) => ({ of, text })),
    );
    if (found.length > 0) return found;
    things = [...new Set(things.flatMap((one) => findBackingObjects(one, view)))];
  }
  return [];
}

/** Clauses that begin with a verb, and those that name their own subject. */
const withVerb =
  /^(?:runs|uses|binds|is|was|has|needs|requests|allows|goes|completed|failed|started)\b/;
const withSubject = /^(?:pod|container|init|job|no|it)\b|: /;

/** A sentence of what an object says of itself: `shop/Deployment/web runs nginx:1.27`. */
function printClause({ of, text }: Clause): string {
  if (withSubject.test(text)) return `${toObjectId(of)}${text.includes(": ") ? "," : ":"} ${text}`;
  return `${toObjectId(of)} ${withVerb.test(text) ? "" : "has "}${text}`;
}

/** Adds the other fields that a question names: "kubelet version and OS of n1". */
function withNamedFields(free: LookedUp, { named, query, view }: LookupScope): LookedUp {
  const [first] = named;
  const others = findFields(query).flatMap((field) => {
    const text = first === undefined ? undefined : field.read(first, view)?.text;
    return text === undefined || free.head.includes(text) ? [] : [`${field.name} ${text}`];
  });
  return { ...free, head: [free.head, ...others].join(", ") };
}

function isOfBefore(query: string): boolean {
  return /\b(?:before|previous(?:ly)?|used to|(?<!how )old|earlier|former(?:ly)?)\b/i.test(query);
}

/** Fields of the revisions of a workload, the newest first: only what its ReplicaSets keep is known of them. */
function lookupBefore({ named, query, view }: LookupScope): LookedUp | undefined {
  const owners = named.flatMap((one) =>
    one.kind === "ReplicaSet" ? (view.owner(one) ?? []) : [one],
  );
  const head = owners.find((one) => listRevisions(one, view).length > 1);
  const sets = listRevisions(head, view);
  const asked = fieldsIn(query);
  const fields = asked.length === 0 ? ["image"] : asked;
  const said = sets.map((set) =>
    fields.flatMap((field) => fieldNamed(field)?.lines(set, view) ?? []).join(", "),
  );
  const [now = ""] = said;
  const at = said.findIndex((text) => text !== now && text !== "");
  const [newest] = sets;
  const earlier = sets[at];
  if (head === undefined || newest === undefined || earlier === undefined) return undefined;
  return {
    head: `${toObjectId(head)}: revision ${revisionOf(earlier)}, the one before, ${said[at] ?? ""}; revision ${revisionOf(newest)}, the newest, ${now}`,
    lines:
      sets.length === 2
        ? []
        : sets.map((of, index) => ({
            of,
            text: `revision ${revisionOf(of)} ${said[index] ?? ""}`,
          })),
    objects: [head, ...sets],
  };
}

/** Fields of what a question names, or of what is behind it, by their own names. Undefined where its words name none. */
export function freeFields({
  named,
  query,
  view,
}: Pick<LookupScope, "named" | "query" | "view">): (LookedUp & Bound) | undefined {
  const things = [...named, ...named.flatMap((object) => findBackingObjects(object, view))];
  const isCount = asksNumber(query);
  // A variable is compared by its own name, whatever the words around it are.
  const variables = toWords(query).filter(isVariable).join(" ");
  const { fields, unbound, everyday } = bindFields(
    variables === "" ? query : variables,
    [...new Set(things)],
    {
      names: named.map(({ metadata }) => metadata.name),
      kinds: kindsIn(query).flatMap(({ text }) => text.split(" ")),
      isMany: isCount || named.every(({ kind }) => !isKindName(kind)),
    },
  );
  const words = fields.flatMap((one) => one.words);
  // Most of what is asked must be there.
  if (words.length === 0 || unbound.length > words.length) return undefined;
  // "Pod web-1 waits for a gpu" is a sentence.
  if (everyday.length + unbound.length > 0 && !asksByForm(query)) return undefined;
  const firsts = fields.flatMap(({ places: [first] }) => first ?? []);
  const [first] = firsts;
  if (first === undefined) return undefined;
  const others = fields.flatMap(({ places }) => places.slice(1));
  // "Count the paths of ingress api"
  const isList =
    isCount &&
    others.length > 0 &&
    others.every((one) => one.object === first.object && patternOf(one) === patternOf(first));
  const lines = (isList ? fields.flatMap(({ places }) => places) : others).map(
    ({ object: of, line: text }) => ({ ...(isList ? {} : { of }), text }),
  );
  const head = firsts
    .map(({ object, line }, at) =>
      at > 0 && object === first.object ? line : printClause({ of: object, text: line }),
    )
    .join(", ");
  const state = describeState(first.object, view);
  return {
    head: isList ? `${toObjectId(first.object)} has ${lines.length}` : head,
    lines: isList || state === noFailure ? lines : [...lines, { of: first.object, text: state }],
    objects: [first.object],
    words,
    isList,
    isVariable: variables !== "",
  };
}

/** What fields were found by. */
interface Bound {
  /** Words of the question. */
  readonly words: readonly string[];
  /** True where they are counted. */
  readonly isList: boolean;
  /** True where they are variables, by their names. */
  readonly isVariable: boolean;
}

/** Events of what is asked about, newest first; only warnings where the question says so. */
function lookupEvents({ subject, objects, query, periodMs, view }: LookupScope): LookedUp {
  const isStrict = /\bwarn/i.test(query);
  const found = objects
    .flatMap((of) => view.events(of).map((event) => ({ of, event })))
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
        ? `${subject}: no ${what} in what was read; events expire, by default after an hour`
        : `${subject}: ${found.length} ${what}, newest first`,
    lines: found.map(({ of, event: { lastSeen, reason, message, count } }) => ({
      at: lastSeen,
      of,
      text: quote(`${reason}${count > 1 ? ` (${count} times)` : ""}: ${message}`, 160),
    })),
    objects: [...new Set(found.map(({ of }) => of))],
  };
}

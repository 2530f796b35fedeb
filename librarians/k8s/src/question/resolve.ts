import { editDistance, isCommonWord } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { setsOfPod } from "../diagnosis/ordinals.js";
import { readClauses } from "./asking.js";
import { asksEverything, isClusterWord } from "./domain.js";
import { groupFamilies, heads } from "./families.js";
import { findHits, type Hits, named, withUsers } from "./hits.js";
import { findObjectsByHost } from "./hosts.js";
import { linkNames } from "./link-names.js";
import type { Question } from "./question.js";
import { phrases } from "./question-words.js";
import { collectValues } from "./values.js";
import { ignoredWords, toWords } from "./words.js";

/** What a question is about. */
export type Target =
  | {
      readonly kind: "objects";
      readonly objects: readonly KubernetesObject[];
      readonly guessed: boolean;
    }
  /** Nothing by name: everything of these kinds, or everything. */
  | { readonly kind: "all"; readonly kinds: readonly KindName[] }
  | {
      readonly kind: "ambiguous";
      readonly name: string;
      readonly candidates: readonly KubernetesObject[];
    }
  | { readonly kind: "unknown"; readonly name: string; readonly near: readonly string[] };

/** Finds what a question names among what was read. */
export function resolveTarget(given: Question, view: ClusterView): Target {
  // What exists comes before what looks like a name.
  const linked = linkNames(given.query, view);
  // "The default certificate" is of no account.
  const isMeantName = (name: string) => name !== "default" || name === given.demanded;
  const question = {
    ...given,
    names: [...new Set([...linked, ...given.names])].filter(isMeantName),
  };
  const mentioned = [...new Set(question.kinds.flatMap(({ kinds }) => kinds))];
  const isPlural = question.kinds.some((one) => one.isPlural);
  if (question.labels.length > 0) {
    const objects = named
      .flatMap((kind) => view.list(kind))
      .filter(({ metadata }) =>
        question.labels.every(([key, value]) => metadata.labels?.[key] === value),
      );
    const [label] = question.labels;
    if (objects.length > 0)
      return { kind: "objects", objects: heads(objects, view), guessed: false };
    // Beside a name, such a word may be anything.
    if (
      question.demanded === undefined &&
      question.resource === undefined &&
      question.names.length === 0
    )
      return { kind: "unknown", name: label?.join("=") ?? "", near: [] };
  }
  const found: KubernetesObject[] = [];
  let guessed = false;
  const isWide = asksEverything(question.query) && !isWithSubject(question);
  const hostsBy = new Map(
    question.names.map((name) => [name, name.includes(".") ? findObjectsByHost(name, view) : []]),
  );
  // A host is meant as it is written.
  const isHost = (name: string) => (hostsBy.get(name)?.length ?? 0) > 0;
  const names = question.names.toSorted((a, b) => Number(isHost(b)) - Number(isHost(a)));
  for (const name of names) {
    const hosts = hostsBy.get(name) ?? [];
    const hits: Hits =
      hosts.length > 0
        ? { level: 5, objects: hosts }
        : (findUncreated(name, question, view) ?? findHits(name, question, mentioned, view));
    if (hits.objects.length === 0) continue;
    // Of everyday words in a question about everything, a part of a name is no name.
    const isMeant = hits.level >= 4 || isJoint(name) || name === question.demanded;
    if (isWide && !isMeant && !linked.includes(name) && name !== question.subject) continue;
    const families = groupFamilies(hits.objects, view, mentioned);
    // A host leads to an Ingress, which may have the name of what is behind it.
    const isNew =
      hosts.length > 0
        ? hosts.some((host) => !found.includes(host))
        : !families.some((family) =>
            found.some((one) => one.metadata.name === family[0]?.metadata.name),
          );
    if (families.length > 1 && !isPlural && !isHost(name)) {
      if (found.length > 0) continue;
      // An everyday word that is a part of several names is no name of any.
      if (!isMeant && isCommonWord(name)) continue;
      // "The postgres of orders": another name says which of them.
      const meant = names
        .filter((other) => other !== name)
        .slice(0, maxOther)
        .map((other) => narrowTo(families, findHits(other, question, mentioned, view)))
        .find((one) => one !== undefined);
      if (meant !== undefined) {
        found.push(...meant);
        continue;
      }
      return {
        kind: "ambiguous",
        name,
        candidates: families.flatMap((family) => family.slice(0, 1)),
      };
    }
    if (!isNew || (found.length > 0 && hits.level < 4)) continue;
    // A name that is beside its kind is meant as it is written.
    if (hits.level < 2 && question.demanded === name) return unknownName(name, view);
    found.push(...families.flat());
    guessed ||= hits.level < 2;
    // A node may only be the place of what the question is about.
    if (question.demanded === name && families.flat().some(({ kind }) => kind !== "Node")) break;
  }
  const outside = findProperNoun(question, view);
  if (outside !== undefined) return unknownName(outside, view);
  if (found.length > 0) return { kind: "objects", objects: withUsers(found, view), guessed };
  const custom = selectOfCustomKind(question, view);
  if (custom.length > 0) return { kind: "objects", objects: custom, guessed: false };
  // "Nodes in zone fra-2": the value of a label or a field sorts a list, and names nothing.
  const isValue = (name: string | undefined) =>
    name !== undefined &&
    isPlural &&
    (mentioned
      .flatMap((kind) => view.list(kind))
      .some((object) => collectValues(object).has(name.toLowerCase())) ||
      !isInPlace(name, question));
  const missing =
    (isValue(question.demanded) || isCommonWord(question.demanded ?? "")
      ? undefined
      : question.demanded) ??
    question.resource?.name ??
    question.names.find((name) => name === question.subject) ??
    question.names.find(
      (name) =>
        /^[^\d]/.test(name) &&
        /[a-z]/i.test(name) &&
        /[-\d]/.test(name) &&
        question.query.includes(name) &&
        !isValue(name),
    );
  // "Is our payment provider down?" means one thing, which is not here.
  const [owned] = possessed.test(question.query) && mentioned.length === 0 ? question.names : [];
  if (missing === undefined && owned !== undefined) return unknownName(owned, view);
  if (missing !== undefined && !(isWide && !isJoint(missing) && missing !== question.demanded))
    return unknownName(missing, view);
  return { kind: "all", kinds: mentioned };
}

/** A question that yes or no answers, about something that is someone's. */
const possessed = phrases("resolve.possessed");

/** Maximum number of other names that say which of several things is meant. */
const maxOther = 5;

/** The one of several families that another name fits, too. */
function narrowTo(
  families: readonly (readonly KubernetesObject[])[],
  { objects }: Hits,
): readonly KubernetesObject[] | undefined {
  const fitting = families.filter((family) => family.some((one) => objects.includes(one)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Maximum number of words between the verb in front and the name of what is asked about. */
const maxBeforeName = 4;

/**
 * The subject of a question that yes or no answers, where it is written like the name of a firm and nothing in the cluster
 * has it: "is Acme having problems? payouts are slow".
 */
function findProperNoun({ query, kinds }: Question, view: ClusterView): string | undefined {
  if (query === query.toUpperCase()) return undefined;
  const all = named.flatMap((kind) => view.list(kind));
  for (const { act, body } of readClauses(query)) {
    const text = body.toLowerCase();
    const isKnown = all.some(({ metadata }) => text.includes(metadata.name.toLowerCase()));
    if (act !== "yes-no" || isKnown) continue;
    const words = toWords(body).slice(1, 2 + maxBeforeName);
    const name = words.find(
      (word) =>
        isCapitalized(word) &&
        !ignoredWords.has(word.toLowerCase()) &&
        !kinds.some(({ text }) => text.toLowerCase() === word.toLowerCase()) &&
        !isClusterWord(word) &&
        !all.some(({ metadata }) => metadata.name.toLowerCase().includes(word.toLowerCase())),
    );
    if (name !== undefined) return name;
  }
  return undefined;
}

/** True for what a question names as the thing that something is wrong with. */
function isWithSubject({ query, subject }: Question): boolean {
  if (subject === undefined) return false;
  const before = query.slice(0, query.indexOf(subject)).toLowerCase().trimEnd().split(" ");
  return before.slice(-2).includes("with");
}

function isCapitalized(word: string): boolean {
  const first = word.charAt(0);
  return word.length > 2 && first !== first.toLowerCase() && !isJoint(word);
}

/** True for a word that no everyday word looks like: with a joint or a digit. */
function isJoint(name: string): boolean {
  return /[-\d]/.test(name) || name.includes("_") || name.includes(".");
}

/** The StatefulSet whose pod or claim has this name, where that is not there: it says why. */
function findUncreated(name: string, { resource }: Question, view: ClusterView): Hits | undefined {
  const wanted = name.toLowerCase();
  const claims = view.list("StatefulSet").filter((set) =>
    listAt(set, "spec", "volumeClaimTemplates").some((template) => {
      const prefix = `${textAt(template, "metadata", "name") ?? ""}-`;
      const isOne =
        wanted.startsWith(prefix) && setsOfPod(wanted.slice(prefix.length), view).includes(set);
      return (
        isOne && view.get("PersistentVolumeClaim", set.metadata.namespace, wanted) === undefined
      );
    }),
  );
  const pods = setsOfPod(wanted, view).filter(
    ({ metadata: { namespace } }) => view.get("Pod", namespace, wanted) === undefined,
  );
  const sets = [...pods, ...claims].filter(
    ({ metadata: { namespace } }) =>
      resource?.namespace === undefined || resource.namespace === namespace,
  );
  return sets.length === 0 ? undefined : { level: 5, objects: sets };
}

/**
 * True when something that a question names was not found, and what was found may only be its place: "the
 * crash loop of tiler on the arm node".
 */
export function isPlaceOnly(target: Target, { names }: Question, view: ClusterView): boolean {
  if (target.kind === "all") return target.kinds.length > 0 && names.length > 0;
  if (target.kind !== "objects" || target.objects.some(({ kind }) => kind !== "Node")) return false;
  const places = view.list("Node").map(({ metadata }) => metadata.name.toLowerCase());
  return names.some((name) => !places.some((place) => place.includes(name.toLowerCase())));
}

/** True for a name that is quoted, beside its kind, or behind a word that a name follows. */
function isInPlace(name: string, { query, demanded, resource }: Question): boolean {
  if (name === demanded || name === resource?.name) return true;
  const at = query.toLowerCase().indexOf(name.toLowerCase());
  const before = query.slice(0, Math.max(0, at)).trimEnd();
  return at < 0 || placeOfName.test(before) || /["'`]$/.test(before);
}

const placeOfName =
  /(?:^|\b(?:of|for|from|in|on|behind|by|to|does|do|did|can|named|called|about|the|my|our|belongs? to))$/i;

function unknownName(name: string, view: ClusterView): Target {
  return {
    kind: "unknown",
    name,
    near: findSimilarNames(
      name,
      named.slice(0, 12).flatMap((kind) => view.list(kind)),
    ),
  };
}

/** Ids of the objects whose names are most like a name that nothing has, the nearest first. */
function findSimilarNames(name: string, all: readonly KubernetesObject[]): readonly string[] {
  const wanted = name.toLowerCase();
  const scored = all.flatMap((object) => {
    const other = object.metadata.name.toLowerCase();
    const maxDistance = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
    const away = editDistance(wanted, other, maxDistance);
    const part = wanted.split("-").some((piece) => piece.length > 3 && other.includes(piece));
    return away <= maxDistance ? [{ object, away }] : part ? [{ object, away: 4 }] : [];
  });
  return scored
    .sort((a, b) => a.away - b.away)
    .slice(0, 5)
    .map(({ object }) => toObjectId(object));
}

/** Resources of an extension whose kind the question names: "external secrets", "the RabbitmqCluster". */
function selectOfCustomKind({ query }: Question, view: ClusterView): readonly KubernetesObject[] {
  const words = toWords(query.toLowerCase());
  const joined = words.join("").replaceAll("-", "");
  return view.list("CustomResource").filter(({ kind }) => {
    // A `VolumeSnapshot` is a snapshot for people.
    const last =
      kind
        .split(/(?=[A-Z])/)
        .at(-1)
        ?.toLowerCase() ?? "";
    return (
      joined.includes(kind.toLowerCase()) ||
      (last.length >= 5 && (words.includes(last) || words.includes(`${last}s`)))
    );
  });
}

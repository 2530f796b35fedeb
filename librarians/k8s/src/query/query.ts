import { isFunctionWord } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName, type KindName } from "../cluster/kinds.js";
import { listRevisions } from "../diagnosis/revision.js";
import { type Field, fieldNamed, findField, findFieldAt, findFields } from "../fields/fields.js";
import type { Investigation } from "../investigation.js";
import { asksNumber, readClauses } from "../question/asking.js";
import { tagIn } from "../question/images.js";
import { type KindMention, kindsIn } from "../question/kind-words.js";
import { phrases, questionWords } from "../question/question-words.js";
import { listedKinds } from "../question/things.js";
import { toWords } from "../question/words.js";
import type { Filter } from "./filter.js";
import { comparisonsIn, presencesIn } from "./filters.js";
import { termsIn } from "./terms.js";

/** A question that is computed from the fields of objects. */
export interface Query {
  /** What is listed, counted or compared. */
  readonly kinds: readonly KindName[];
  readonly filters: readonly Filter[];
  readonly output: Output;
}

/** What is made of the objects that are left. */
export type Output =
  /** The object with the most or the least of a field. */
  | {
      readonly to: "extreme";
      readonly field: Field;
      readonly isMax: boolean;
      readonly word: string;
    }
  /** How many of a kind there are for each other thing; `most` asks for one of them only. */
  | {
      readonly to: "groups";
      readonly of: KindName;
      readonly per: Grouping;
      readonly most?: "max" | "min";
    }
  | { readonly to: "sum"; readonly field: Field }
  /** How often something happened to what is named, by its events and by what is left of it. */
  | { readonly to: "occurrences"; readonly words: readonly string[] }
  /** Whether all have the same value. */
  | { readonly to: "same"; readonly field: Field; readonly isDifferent?: boolean }
  /** Objects that have the same value as the one that is named. */
  | { readonly to: "sharing"; readonly field: Field }
  /** Two objects by a field. */
  | { readonly to: "compare"; readonly field: Field; readonly isMore: boolean }
  /** Fields of several objects, beside each other. */
  | { readonly to: "values"; readonly fields: readonly Field[] }
  /** Every field in which two objects differ. */
  | { readonly to: "differences" }
  | { readonly to: "yaml" };

/** What things are grouped by: where they run, live or belong to, or what a field says. */
export type Grouping = KindName | Field;

const { extremes } = questionWords;
const extreme = new RegExp(
  `(?<!\\bat )\\b(${Object.keys(extremes)
    .toSorted((a, b) => b.length - a.length)
    .join("|")})(?:ly)?\\b`,
  "i",
);
const more =
  /\b(more|higher|bigger|larger|greater|older|less|fewer|lower|smaller|younger|newer)\b/i;
const using = phrases("query.using");
const askingFor = phrases("query.asking");
const sharing = phrases("query.sharing");
const newest = phrases("query.newest");
const sorting = phrases("query.sorting");
const allowing = phrases("query.allowing");
const total = phrases("query.total");
/** Words for being alike; those after the first four say it of many things only. */
const same = "same identical equal alike one uniform consistent different mixed".split(" ");
/** Words for the revisions of one workload: "between the old and the new pods of web". */
const revised: ReadonlySet<string> = new Set(["old", "new", "before", "previous", "earlier"]);
const countsRestarts = phrases("query.countsRestarts");
const all = phrases("query.all");
const yaml = phrases("query.yaml");
const differs = phrases("query.differs");
const perWord = /\b(?:per|by|for each|for every|in each|on each|each|of each)\b/i;

/** Reads what a question computes. Undefined for one that computes nothing, and where its field is not known. */
export function readQuery(found: Investigation, text: string): Query | undefined {
  const { objects, kindsAsked } = found;
  // A namespace may have the name of a kind.
  const mentions = kindsIn(text).filter((one) => one.text !== found.namespace);
  const kinds =
    mentions.length > 0 ? [...new Set(mentions.flatMap((one) => one.kinds))] : kindsAsked;
  const heads = comparableHeads(objects, kinds);
  if (yaml.test(text) && objects.length > 0) return { kinds, filters: [], output: { to: "yaml" } };
  const two = heads.length > 1 && new Set(heads.map(({ kind }) => kind)).size === 1;
  const compared = more.exec(text)?.[1]?.toLowerCase();
  const words = toWords(text.toLowerCase());
  if (two && compared !== undefined && (words.includes("than") || words.includes("which"))) {
    const field =
      findField(text) ?? (/old|young|new/.test(compared) ? fieldNamed("age") : undefined);
    const isMore = /^(?:more|higher|bigger|larger|greater|older)$/.test(compared);
    const isChoice = words.includes("which") && !words.includes("than");
    const isMax = isMore;
    if (field !== undefined && isChoice)
      return {
        kinds: kindsOf(heads),
        filters: [],
        output: { to: "extreme", field, isMax, word: compared },
      };
    if (field !== undefined)
      return { kinds, filters: [], output: { to: "compare", field, isMore } };
  }
  const isDifferent = words.some((word) => /^(?:different|distinct|separate)$/.test(word));
  const isSame = isDifferent || words.some((word) => same.slice(0, 4).includes(word));
  const sameField = isSame
    ? findField(behindSame(two ? text : withoutListed(text, mentions)))
    : undefined;
  // "Do the pods of web run the same image?"
  const isOfMany = objects.length > 0 && mentions.some(({ isPlural }) => isPlural);
  if ((two || isOfMany) && sameField !== undefined)
    return {
      kinds: two ? kindsOf(heads) : listedKinds(text, mentions).flatMap((one) => one.kinds),
      filters: [],
      output:
        words.includes("as") && heads.length === 1
          ? { to: "sharing", field: sameField }
          : { to: "same", field: sameField, isDifferent },
    };
  const shared = sharing.test(text) ? findField(withoutListed(text, mentions)) : undefined;
  if (shared !== undefined && heads.length === 1)
    return { kinds: ["Pod"], filters: [], output: { to: "sharing", field: shared } };
  const asked = findFields(withoutKinds(text, mentions));
  const isPhrase = heads.length > 0 && isCovered(text, asked, heads, mentions);
  if (
    asked.length > 0 &&
    ((two && differs.test(text)) ||
      (isPhrase && (heads.length === 1 || (two && !extreme.test(text)))))
  )
    return {
      kinds: kindsOf(heads),
      filters: [],
      output: { to: "values", fields: asked.map((field) => ofNodes(field, heads)) },
    };
  const isRevised =
    words.some((word) => revised.has(word)) &&
    heads.some((one) => listRevisions(one, found.view).length > 1);
  if (differs.test(text) && (two || isRevised))
    return { kinds, filters: [], output: { to: "differences" } };
  if (countsRestarts.test(text)) {
    const field = fieldNamed("restarts");
    if (field !== undefined && (objects.length > 0 || mentions.length === 0))
      return { kinds: ["Pod"], filters: [], output: { to: "sum", field } };
  }
  if (objects.length > 0 && asksTimes(words) && readClauses(text).length === 1)
    return { kinds, filters: [], output: { to: "occurrences", words } };
  // "How many containers are in each pod of web?"
  const parts =
    asksNumber(text) && /\bcontainers?\b/i.test(text) ? fieldNamed("containers") : undefined;
  if (parts !== undefined && objects.length === 0)
    return { kinds: ["Pod"], filters: [], output: { to: "sum", field: parts } };
  const ofPods = mentions.some(({ text: kind }) => /^(?:po|pods?)$/.test(kind));
  if (
    parts !== undefined &&
    (ofPods || heads.some(({ kind }) => kind === "Pod")) &&
    objects.length > 0
  )
    return { kinds: ["Pod"], filters: [], output: { to: "values", fields: [parts] } };
  const inits = /\binit containers\b/i.test(text) ? fieldNamed("init containers") : undefined;
  if (inits !== undefined)
    return { kinds: ["Pod"], filters: [], output: { to: "values", fields: [inits] } };
  const filters = [...comparisonsIn(text), ...presencesIn(text), ...termsIn(text)];
  const [first] = kinds;
  const impliedKind = first ?? impliedBy(text);
  if (impliedKind === undefined) return undefined;
  const listed = listedKinds(text, mentions).flatMap((one) => one.kinds);
  const among = listed.length > 0 ? listed : kinds.length > 0 ? kinds : [impliedKind];
  const grouped = sorting.test(text) ? undefined : readGroups(text, mentions, filters);
  if (grouped !== undefined) return grouped;
  const isNewest = newest.test(text);
  const sorted = sorting.test(text) ? findField(withoutKinds(text, mentions)) : undefined;
  const ordered = isNewest ? fieldNamed("age") : sorted;
  if (ordered !== undefined)
    return {
      kinds: among,
      filters,
      output: {
        to: "extreme",
        field: ordered,
        isMax: !isNewest,
        word: isNewest ? "newest" : "most",
      },
    };
  const said = extreme.exec(text);
  // "Min and max of hpa web" are fields of one thing, and the latest tag is no superlative.
  const isOfOne =
    heads.length === 1 && kindsOf(heads).some((kind) => kinds.every((one) => one === kind));
  const isExtreme = !isOfOne && tagIn(text) === undefined;
  if (said !== null && isExtreme) {
    const word = said[1]?.toLowerCase() ?? "";
    const { isMax = true, field: own } = extremes[word] ?? {};
    const without = withoutKinds(text, mentions).replace(word, " ");
    const spoken = findField(without) ?? fieldNamed(own ?? "");
    // "The node with the most memory" has it, and does not use it.
    const isSize =
      spoken !== undefined &&
      spoken.isUsage === true &&
      among.includes("Node") &&
      !using.test(text);
    // "The deployment that may use the most memory" has a limit.
    const isAllowed = spoken !== undefined && spoken.isUsage === true && allowing.test(text);
    const isAsked = spoken !== undefined && spoken.isUsage === true && askingFor.test(text);
    const field =
      isAllowed || isAsked
        ? fieldNamed(spoken.name.replace("usage", isAsked ? "request" : "limit"))
        : isSize
          ? fieldNamed(spoken.name.startsWith("CPU") ? "allocatable CPU" : "allocatable memory")
          : spoken;
    if (field !== undefined)
      return { kinds: among, filters, output: { to: "extreme", field, isMax, word } };
  }
  if (all.test(text) && words.some((word) => same.includes(word))) {
    const field = findField(text);
    if (field !== undefined && field.name !== "namespace")
      return {
        kinds: field.name === "kubelet version" ? ["Node"] : among,
        filters,
        output: { to: "same", field, isDifferent },
      };
  }
  if (total.test(text)) {
    const field = findField(withoutKinds(text, mentions));
    // "Total of nodes" counts them.
    if (field?.isNumeric === true && field.name !== "containers")
      return { kinds: among, filters, output: { to: "sum", field } };
  }
  // "What container runtime do the nodes use?"
  const ofAll = objects.length === 0 && mentions.length > 0 ? behindWhat(text) : undefined;
  const of = among[0];
  if (ofAll !== undefined && of !== undefined)
    return { kinds: among, filters, output: { to: "groups", of, per: ofAll } };
  return undefined;
}

/** The field right behind "what" or "which", where it is not what most questions list: "what kernel do the nodes have". */
function behindWhat(text: string): Field | undefined {
  const [, behind = ""] = /^(?:what|which) ([a-z]{1,20}(?: [a-z]{1,20})?)/i.exec(text) ?? [];
  const found = findFieldAt(behind);
  return found !== undefined && behind.startsWith(found.words) && kindsIn(behind).length === 0
    ? found.field
    : undefined;
}

/** The words behind "same" that may name a field. */
function behindSame(text: string): string {
  const [, behind = ""] = text.split(
    /\b(?:same|identical|equal|alike|different|distinct|separate)\b/i,
  );
  return behind.trim().split(/\s+/).slice(0, 4).join(" ");
}

/** The text without the kinds that it lists: "pods on the same node" have a node. */
function withoutListed(text: string, mentions: readonly KindMention[]): string {
  return withoutKinds(text, listedKinds(text, mentions));
}

function withoutKinds(text: string, mentions: readonly KindMention[]): string {
  return mentions.reduce((rest, { text: kind }) => rest.replace(kind, " "), text.toLowerCase());
}

/** True for a phrase of nothing but names, kinds and fields: "hpa web, min and max". Restarts are a trouble, too. */
function isCovered(
  text: string,
  asked: readonly Field[],
  heads: readonly KubernetesObject[],
  mentions: readonly KindMention[],
): boolean {
  if (asked.some(({ name, isUsage }) => name === "restarts" || isUsage === true)) return false;
  const known = new Set([
    ...asked.flatMap(({ words = "" }) => words.split(/[ ,]/)),
    ...heads.map(({ metadata }) => metadata.name.toLowerCase()),
    ...mentions.flatMap(({ text: kind }) => kind.split(" ")),
    "it",
  ]);
  return toWords(text.toLowerCase().replaceAll("/", " ")).every(
    (word) => known.has(word) || known.has(word.replace(/s$/, "")) || isFunctionWord(word),
  );
}

/** "How often", "how many times". */
function asksTimes(words: readonly string[]): boolean {
  const at = words.findIndex((word) => word === "often" || word === "times");
  return at > 0 && ["how", "many", "of"].includes(words[at - 1] ?? "");
}

/** What a node has, in place of what it uses. */
function ofNodes(field: Field, heads: readonly KubernetesObject[]): Field {
  const name = field.name.startsWith("CPU") ? "allocatable CPU" : "allocatable memory";
  const isSize = field.isUsage === true && heads.every(({ kind }) => kind === "Node");
  return isSize ? (fieldNamed(name) ?? field) : field;
}

function kindsOf(heads: readonly KubernetesObject[]): readonly KindName[] {
  return heads.slice(0, 1).flatMap(({ kind }) => (isKindName(kind) ? [kind] : []));
}

/** The kind of a question that names only a field which one kind has. */
function impliedBy(text: string): KindName | undefined {
  const field = findFieldAt(text)?.field.name;
  if (field === undefined) return undefined;
  if (/^(?:kubelet|kernel|container runtime|operating|architecture|allocatable)/.test(field))
    return "Node";
  return field === "size"
    ? "PersistentVolumeClaim"
    : /request$|limit$|usage$/.test(field)
      ? "Pod"
      : undefined;
}

/** "Pods per node", "which node runs the most pods", "which image do most pods run". */
function readGroups(
  text: string,
  mentions: ReturnType<typeof kindsIn>,
  filters: readonly Filter[],
): Query | undefined {
  const at = perWord.exec(text);
  const said = extreme.exec(text);
  const kindOf = (one: (typeof mentions)[number] | undefined) => one?.kinds.find(isKindName);
  if (said !== null) {
    // What stands behind "the most" is counted, for each of what stands before it.
    const behind = mentions.find(
      (one) => one.at > said.index && text.slice(said.index, one.at).split(" ").length <= 3,
    );
    const of = kindOf(behind);
    const before = mentions.find((one) => one !== behind && one.at < said.index);
    const place =
      kindOf(before) ??
      (/\bnamespaces?\b/i.test(text.slice(0, said.index)) ? "Namespace" : undefined);
    if (of === undefined || place === undefined || of === place) return undefined;
    const most = extremes[said[1]?.toLowerCase() ?? ""]?.isMax === false ? "min" : "max";
    return { kinds: [of], filters, output: { to: "groups", of, per: place, most } };
  }
  if (at === null) return undefined;
  // "Which account is bound by binding b?" asks for one.
  const of = kindOf(mentions.find((one) => one.at < at.index && one.isPlural));
  const rest = text.slice(at.index);
  const per =
    kindOf(mentions.find((one) => one.at > at.index)) ??
    (/\bnamespaces?\b/i.test(rest) ? "Namespace" : undefined) ??
    findField(rest);
  if (of === undefined || per === undefined || of === per) return undefined;
  return { kinds: [of], filters, output: { to: "groups", of, per } };
}

/** Objects of several names that can be compared: of the kind that all names have, else the first of each name. */
function comparableHeads(
  objects: readonly KubernetesObject[],
  kinds: readonly KindName[],
): readonly KubernetesObject[] {
  const heads = distinctHeads(objects);
  const kindsBy = heads.map(
    ({ metadata: { name, namespace } }) =>
      new Set(
        objects
          .filter(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
          .map(({ kind }) => kind),
      ),
  );
  const [first] = kindsBy;
  const common = [...(first ?? [])].filter((kind) => kindsBy.every((own) => own.has(kind)));
  const kind = common.find((one) => kinds.some((asked) => asked === one)) ?? common[0];
  if (heads.length < 2 || kind === undefined) return heads;
  return distinctHeads(objects.filter((object) => object.kind === kind));
}

/** Objects that a question names, one for each name: a workload before what belongs to it. */
export function distinctHeads(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const byName = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const key = `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
    if (!byName.has(key)) byName.set(key, object);
  }
  return [...byName.values()];
}

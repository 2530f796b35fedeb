import { isAuxiliary, isFunctionWord, isTellingVerb } from "@constellation/nlu";
import type { State } from "../fields/table.js";
import { comparisonsIn, presencesIn } from "../query/filters.js";
import { type KindMention, kindsIn } from "./kind-words.js";
import { stateIn } from "./state-words.js";
import { toWords } from "./words.js";

/** A request for the things of a kind: "which nodes are cordoned", "claims not bound?", "the evicted pods in records". */
export interface Things {
  /** Undefined for whatever runs somewhere: "what is running there?" */
  readonly mention: KindMention | undefined;
  /** It asks by its form: "which", "list", "are there". Else it is a noun with what describes it. */
  readonly isAsked: boolean;
  readonly isCount: boolean;
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Nouns for a list or a number, before the things: "names of", "number of". */
const listNouns = wordSet("name names list overview inventory total number count sum amount");
const counting = wordSet("number count total many sum amount");
/** Words that ask, beside the verbs that tell. */
const asking = wordSet("which what whats what's who how any");
/** Verbs of being there, which ask for nothing more. */
const existing = wordSet(
  "exist exists existing there run runs running deployed defined present scheduled placed installed live lives",
);
/** True for a verb of being there: "which deployments live in shop?" */
export function isBeingThere(word: string): boolean {
  return existing.has(word.toLowerCase());
}

/** Nouns that have a value behind them: "of type NodePort". */
const labelling = wordSet("type label labels tag class version zone pool region namespace ns");
/** Words for all of them, which ask where no verb is in front. */
const total = wordSet("all every each");
const places = wordSet("in on inside there here");
const denying = wordSet("no not none nothing never");
const relative = wordSet("that which who whose with without");

/**
 * The things that a clause asks for: a kind in front, behind nothing but words of grammar, of asking and of state. Undefined
 * where the clause says something of them: "pods of web keep restarting".
 */
export function readThings(text: string, kinds: readonly KindMention[]): Things | undefined {
  const [mention] = kinds;
  if (asksWhatRuns(toWords(text.toLowerCase())))
    return { mention: undefined, isAsked: true, isCount: false };
  if (mention === undefined) return undefined;
  const before = toWords(text.slice(0, mention.at).toLowerCase());
  const rest = text.slice(mention.at + mention.text.length);
  const compared = [...comparisonsIn(rest), ...presencesIn(rest)];
  const after = toWords(
    compared.reduce((left, { text: said }) => left.replace(said, " "), rest.toLowerCase()),
  );
  const unknown = before.filter(
    (word) =>
      !isFunctionWord(word) &&
      !isTellingVerb(word) &&
      !listNouns.has(word) &&
      !isState(word) &&
      !isNumber(word),
  );
  if (before.includes("why") || before.includes("restarts")) return undefined;
  const isCount = before.some((word) => counting.has(word));
  const [first = ""] = before;
  const isAsked =
    isCount ||
    (total.has(first) && !after.some(isState)) ||
    before.some((word) => asking.has(word) || isTellingVerb(word) || listNouns.has(word)) ||
    (isAuxiliary(first) && before.some((word) => word === "there" || word === "any"));
  // An adjective: "are there privileged pods?"
  const isAdjective = isAsked && unknown.length === 1 && unknown[0] === before.at(-1);
  if (unknown.length > 0 && !isAdjective) return undefined;
  // "What about deployment relay?" names one, "which pod restarted most?" does not.
  const isMany = mention.isPlural || asking.has(before.at(-1) ?? "");
  if (!isMany || (isAuxiliary(first) && !isAsked) || denying.has(first)) return undefined;
  return isAsked || compared.length > 0 || isDescription(after, text)
    ? { mention, isAsked, isCount }
    : undefined;
}

/** True for "what runs on n2", "what is in the shop namespace": a place, and no verb but of being there. */
function asksWhatRuns(words: readonly string[]): boolean {
  const [first = ""] = words;
  const at = words.findIndex((word) => places.has(word));
  return (
    (first === "what" || first === "whats") &&
    at > 0 &&
    words.slice(1, at).every((word) => existing.has(word) || isAuxiliary(word) || isBeside(word)) &&
    words
      .slice(at)
      .filter(
        (word) =>
          !isFunctionWord(word) && !word.startsWith("namespace") && kindsIn(word).length === 0,
      ).length <= 1
  );
}

/** What may stand beside `what`, as in `what's`. */
function isBeside(word: string): boolean {
  return word === "all" || word === "else" || word === "s";
}

/** True for words that describe a noun, and hold no sentence about it. */
function isDescription(after: readonly string[], text: string): boolean {
  const [next] = after;
  if (next === undefined) return true;
  if (relative.has(next)) return true;
  const isQuestion = text.trimEnd().endsWith("?");
  return after.every((word, at) => {
    if (isAuxiliary(word)) return false;
    if (isState(word) && !existing.has(word)) return isQuestion;
    const before = after[at - 1] ?? "";
    const isValue = labelling.has(before) || labelling.has(word);
    return (
      isValue ||
      isFunctionWord(word) ||
      existing.has(word) ||
      listNouns.has(word) ||
      isName(word) ||
      (before !== "" && (isFunctionWord(before) || kindsIn(before).length > 0))
    );
  });
}

function isState(word: string): boolean {
  const state: State | undefined = stateIn(word);
  return state !== undefined && state !== "broken";
}

/** A joint or a digit, which no everyday word has. */
function isName(word: string): boolean {
  return [...word].some((one) => "-._/0123456789".includes(one));
}

function isNumber(word: string): boolean {
  return Number.isFinite(Number(word));
}

/** Kinds that a list is made of: the first, and those that are joined to it. "Deployments with more than two pods" are one kind. */
export function listedKinds(
  text: string,
  mentions: readonly KindMention[],
): readonly KindMention[] {
  const listed: KindMention[] = [];
  for (const one of mentions) {
    const last = listed.at(-1);
    const between = last === undefined ? "" : text.slice(last.at + last.text.length, one.at);
    if (toWords(between.toLowerCase()).every((word) => joining.has(word))) listed.push(one);
    else break;
  }
  return listed;
}

const joining = wordSet("and or the all plus");

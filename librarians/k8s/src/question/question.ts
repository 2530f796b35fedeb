import { isFunctionWord, rememberRecent } from "@constellation/nlu";
import { parseResource } from "../diagnosis/object-id.js";
import type { SignalType } from "../diagnosis/signal-type.js";
import { asksHistory, conditionsIn } from "./condition-words.js";
import { hostOfUrl } from "./hosts.js";
import { isImage } from "./images.js";
import { type KindMention, kindsIn } from "./kind-words.js";
import { type Label, labelsIn } from "./labels.js";
import { phrases } from "./question-words.js";
import { ignoredWords, toWords } from "./words.js";

/** What a query says, before the cluster is looked at. */
export interface Question {
  readonly query: string;
  /** Namespace it names with the word for it. */
  readonly namespace: string | undefined;
  readonly kinds: readonly KindMention[];
  /** `app=web` */
  readonly labels: readonly Label[];
  readonly signals: ReadonlyMap<SignalType, number>;
  /** True when it takes for granted that something fails. */
  readonly isAboutFailure: boolean;
  readonly history: boolean;
  /** Words that may be names, most likely first: those beside a kind, joined ones, then the others. */
  readonly names: readonly string[];
  /** A name that stands right after a kind: when nothing has it, there is nothing to report. */
  readonly demanded: string | undefined;
  /** The word that the question is about by its place: `is X ok`, `why does X fail`, `wrong with X`. */
  readonly subject: string | undefined;
  /** `kind/name`, `namespace/kind/name` as written. */
  readonly resource: ReturnType<typeof parseResource>;
  /** Names of container images. */
  readonly images: readonly string[];
  /** True when it asks for a procedure, which no cluster knows. */
  readonly isHowTo: boolean;
}

const failureWords = phrases("question.failureWords");

/** Maximum number of characters of a query that are looked at: the first and the last ones. */
const maxHead = 3_000;
const maxTail = 1_000;
/** Maximum number of words that are taken for names. */
const maxNames = 60;

/** Reads a query. Of a very long one, such as a pasted log, only its beginning and its end are looked at. */
export const parseQuestion = rememberRecent((text): Question => {
  const query = bounded(text);
  const words = toWords(query);
  const labelled = labelsIn(words);
  const namespace = namespaceIn(query) ?? labelled.namespace;
  const kinds = kindsIn(query);
  const signals = conditionsIn(query);
  const images = words.filter(isImage);
  const urls = words.filter((word) => !images.includes(word) && hostOfUrl(word) !== undefined);
  const slashed = words.filter(
    (word) =>
      word.includes("/") &&
      !word.includes("=") &&
      !images.includes(word) &&
      !urls.includes(word) &&
      !/^\d+\/\d+$/.test(word), // 0/1 is a count
  );
  const resource = slashed.map((word) => parseResource(word)).find((one) => one !== undefined);
  const kindTexts = new Set(kinds.flatMap(({ text }) => text.split(" ")));
  const isName = (word: string) =>
    !images.includes(word) && !word.includes("=") && !word.includes("/") && word !== namespace;
  const demanded = demandedName(query, kinds);
  const subject = subjectName(query, kindTexts);
  const candidates = words.filter(
    (word) =>
      isName(word) && !kindTexts.has(word.toLowerCase()) && !ignoredWords.has(word.toLowerCase()),
  );
  const quoted = [...query.matchAll(/[`"“']([\w.-]{2,})[`"”']/g)].flatMap(([, name]) => name ?? []);
  const joined = words.flatMap((word, index) => {
    const next = words[index + 1];
    return next !== undefined &&
      [word, next].every(
        (one) =>
          isName(one) && !kindTexts.has(one.toLowerCase()) && !ignoredWords.has(one.toLowerCase()),
      )
      ? [`${word}-${next}`]
      : [];
  });
  return {
    query,
    namespace,
    kinds,
    labels: labelled.labels,
    signals,
    isAboutFailure: signals.size > 0 || failureWords.test(query),
    history: asksHistory(query),
    names: [
      ...new Set([
        ...(demanded === undefined ? [] : [demanded]),
        ...(resource === undefined ? [] : [resource.name]),
        ...labelled.names,
        ...urls.flatMap((word) => hostOfUrl(word) ?? []),
        ...placed(slashed),
        ...(subject === undefined ? [] : [subject]),
        ...quoted,
        ...joined,
        ...candidates,
      ]),
    ].slice(0, maxNames),
    demanded,
    subject,
    resource,
    images,
    isHowTo:
      /^\s*(?:please )?(?:how (?:do|can|should|would|to)\b|explain how|what (?:is|are) (?:a|an)\b)/i.test(
        query,
      ),
  };
});

/** `shop/cart-1`: a name, and maybe its namespace. */
function placed(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const [place = "", name = "", ...more] = word.split("/");
    const isPlace = /[a-z]/i.test(place) && kindsIn(place).length === 0;
    return more.length === 0 && isPlace && /^[a-z0-9].*[a-z]/i.test(name) ? [name, place] : [];
  });
}

/** A command that reads asks the same as its words; how it is to print is left out. */
function withoutCommand(text: string): string {
  const words = text.trim().split(/\s+/);
  const first = words[0] === "$" ? words.slice(1) : words;
  if (first[0] !== "kubectl" && first[0] !== "oc") return text;
  const isFlag = (word: string | undefined) =>
    word === "-o" || /^--(?:output|tail|sort-by)(?:=|$)/.test(word ?? "");
  return first
    .slice(1)
    .filter((word, index) => {
      const before = first[index];
      return !isFlag(word) && !(isFlag(before) && before?.includes("=") !== true);
    })
    .join(" ");
}

/** The ends of a long text; runs of white space are one space. */
function bounded(given: string): string {
  const text = withoutCommand(given);
  const isLong = text.length > maxHead + maxTail;
  const ends = isLong ? `${text.slice(0, maxHead)} … ${text.slice(-maxTail)}` : text;
  return ends.split(/\s+/).join(" ").replace(contraction, "$1n't");
}

/** `isnt`, `isn’t`: contractions as people type them. */
const contraction =
  /\b(is|are|was|were|do|does|did|has|have|had|could|should|would|ca|wo)n[’´`]?t\b/gi;

const subjectPlaces: readonly RegExp[] = [
  /\b(?:wrong with|happen(?:ed|ing) (?:to|with)|issues? with|problems? with|going on with|up with|status of|state of|health of) (?:the |my |our )?["`']?([A-Za-z0-9][\w.-]{0,251})/i,
  /^(?:please )?(?:why|how come) (?:is|are|isn't|does|do|did|doesn't|was|has|can't|can|cannot|won't|will) (?:the |my |our )?["`']?([A-Za-z0-9][\w.-]{0,251})/i,
  /^(?:is|are|does|do|has|have) (?:the |my |our )?(?:\w{1,40} ){0,4}["`']?([A-Za-z0-9][\w.-]{0,251})["`']? (?:offline|online|(?:have|having|got) (?:an? |any )?(?:outage|incident|downtime))\b/i,
  /^(?:is|are|does) (?:the |my |our )?["`']?([A-Za-z0-9][\w.-]{0,251})["`']? (?:ok|okay|healthy|fine|up|down|running|ready|working|work|broken|alive|available|stuck|pending|crashing)\b/i,
];

/** The word in the place of the subject, when it can be a name. */
function subjectName(query: string, kindTexts: ReadonlySet<string>): string | undefined {
  for (const place of subjectPlaces) {
    const name = place.exec(query.trim())?.[1]?.replace(/[.-]{1,3}$|'s$/g, "");
    if (name === undefined) continue;
    const word = name.toLowerCase();
    if (/^\d+$/.test(word) || kindTexts.has(word) || ignoredWords.has(word)) return undefined;
    return name;
  }
  return undefined;
}

/** Words behind `namespace` that are not its name, beside those of grammar. */
const notPlaces =
  /^(?:is|are|was|were|has|have|had|does|do|did|called|named|stuck|hangs?|terminating|deletion|fails?|failing|broken|ok|okay|fine|healthy|down|exists?|quota|still|doesn|isn|won|gets?|keeps?|stays?)$/i;

/** Namespace named with the word for it: `in namespace shop`, `the shop namespace`, `-n shop`. */
function namespaceIn(query: string): string | undefined {
  const after =
    /\b(?:namespace|ns)[ :=]{1,3}["`']?([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\b/i.exec(
      query,
    )?.[1] ?? /(?:^|\s)(?:-n|--namespace)[ =]([a-z0-9-]+)/i.exec(query)?.[1];
  const isPlace = (word: string) => !notPlaces.test(word) && !isFunctionWord(word.toLowerCase());
  if (after !== undefined && isPlace(after)) return after;
  const before = /\b([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)["`']? namespace\b/i.exec(query)?.[1];
  return before === undefined || ignoredWords.has(before.toLowerCase()) ? undefined : before;
}

/** Before a kind that is asked for: what stands behind it is a verb. */
const maxAsking = 20; // characters before the kind that are read
const asking: ReadonlySet<string> = new Set(["which", "what", "any", "no", "each", "every"]);

/** The word after a kind, or before it, when it can only be a name. */
function demandedName(query: string, kinds: readonly KindMention[]): string | undefined {
  for (const { at, text, isPlural } of kinds) {
    const after =
      /^\s(?:named |called )?["`']?([A-Za-z0-9][\w.-]{0,251}[A-Za-z0-9]|[A-Za-z0-9])["`']?/.exec(
        query.slice(at + text.length, at + text.length + 300),
      )?.[1];
    if (
      !isPlural &&
      !asking.has(
        toWords(query.slice(Math.max(0, at - maxAsking), at).toLowerCase()).at(-1) ?? "",
      ) &&
      after !== undefined &&
      !ignoredWords.has(after.toLowerCase()) &&
      kindsIn(after).length === 0
    )
      return after;
  }
  for (const { at, isPlural } of kinds) {
    const before = /(?:^|\s)["`']?([A-Za-z0-9][\w.-]{0,251}[A-Za-z0-9])["`']?\s$/.exec(
      query.slice(Math.max(0, at - 260), at),
    )?.[1];
    if (
      !isPlural &&
      before !== undefined &&
      /[-\d]/.test(before) &&
      !ignoredWords.has(before.toLowerCase())
    )
      return before;
  }
  return undefined;
}

import type { Delegate, DelegateRequest } from "@constellation/core";
import type { Question } from "./question.js";
import { phrases } from "./question-words.js";
import { ignoredWords, toWords } from "./words.js";

/** Words that only a cluster has. */
const inDomain = phrases("domain.inDomain");
/** Words for trouble, and for all of it: a question of nothing but these and everyday words is about the cluster. */
const trouble: ReadonlySet<string> = new Set(
  `broke broken fail fails failed failing failure failures fault faults outage outages incident incidents problem problems
  issue issues error errors cause causes trouble troubles wrong down stuck kaput burning board overview red green sick repair
  repairs unavailable unhealthy`
    .split("\n")
    .flatMap((line) => line.trim().split(" ")),
);
const everything: ReadonlySet<string> = new Set(
  "what whats all every everything any anything nothing which list overview board summary status current currently".split(
    " ",
  ),
);
/** Words of a question about operating a system. */
const general = phrases("domain.general");

/** True for a question about all that is wrong, unless it names what it is about: "which outages do we have?" */
export function asksEverything(query: string): boolean {
  const words = toWords(query.toLowerCase());
  const [of, all] = [trouble, everything].map((some) => words.filter((word) => some.has(word)));
  return of !== undefined && all !== undefined && of.length > 0 && all.length > 0;
}

const everywhere = phrases("domain.everywhere");

/** True for a question about all that is wrong in all of the cluster, whatever it names beside that. */
export function asksEverywhere(query: string): boolean {
  return asksEverything(query) && everywhere.test(query);
}

/** True for a word that only a cluster has, in any case: "DNS". */
export function isClusterWord(word: string): boolean {
  return inDomain.test(word);
}

/** True when a question can be about a cluster, whatever its names are. */
export function isInDomain({
  query,
  kinds,
  isHowTo,
  namespace,
  labels,
  resource,
  signals,
  images,
}: Question): boolean {
  if (isHowTo) return false;
  if (images.length > 0) return true;
  if (kinds.length > 0 || namespace !== undefined || labels.length > 0 || resource !== undefined)
    return true;
  if (asksEverything(query)) return true;
  return inDomain.test(query) || general.test(query) || signals.size > 2;
}

/** Share of a query's words that a delegate must have. */
const minShare = 0.3;

/** The delegate whose own words fit a question best, if one does. */
export function findDelegate(
  query: string,
  delegates: readonly Delegate[],
  own: string,
): DelegateRequest | undefined {
  const words = new Set(
    toWords(query)
      .map(stem)
      .filter((word) => !ignoredWords.has(word) && word.length > 2),
  );
  let best = { share: 0, to: "", shared: [] as readonly string[] };
  for (const each of delegates) {
    if (each.effects === "write") continue; // only a plain order may call it
    const { id, name = "", description = "", capabilities = [], examples = [] } = each;
    const texts = [id, name, description, ...capabilities, ...examples].join(" ");
    const theirs = new Set(toWords(texts.replace(/[.-]/g, " ")).map(stem));
    const shared = [...words].filter((word) => theirs.has(word));
    const share = shared.length / Math.max(1, words.size);
    if (share >= minShare && share > best.share) best = { share, to: id, shared };
  }
  if (best.to === "") return undefined;
  const reason = `it is not about the state of a cluster, which is what ${own} answers from; ${best.to} says it knows about ${best.shared.join(", ")}`;
  return { to: best.to, context: { reason } };
}

function stem(word: string): string {
  return word
    .toLowerCase()
    .replace(/(?:ies)$/, "y")
    .replace(/(?:ing|ed|es|s)$/, "");
}

import { areContrary } from "./antonyms.js";
import { isCommonForm } from "./common-forms.js";
import type { Ground } from "./ground.js";
import { lightWords } from "./items.js";
import { type Statement, toStem } from "./read-statement.js";

export const softDenials = new Set(
  "down lost lose exclud remov outsid gave forbid prohibit refus lack want empt stop end laps avoid prevent unabl imposs away instead fail miss free exempt rather except verbot prohib"
    .split(" ")
    .map(toStem),
);

/** "Unopened": the contrary of a word. */
function isUnDone(lower: string): boolean {
  return /^un\p{L}{5,}/u.test(lower) && isCommonForm(lower.slice(2));
}

/** One part of a source denies most of what a sentence denies. */
function isDeniedTogether(told: ReadonlySet<string>, { statements }: Ground): boolean {
  return statements.some((source) =>
    [...new Set(source.words.map(({ part }) => part))].some((part) => {
      const own = source.words.filter((word) => word.part === part);
      const there = new Set(own.map(({ stem }) => stem));
      if (!source.deniedParts.has(part) && !own.some(({ stem }) => softDenials.has(stem)))
        return false;
      return [...told].filter((stem) => there.has(stem)).length * 2 >= told.size;
    }),
  );
}

/** One part that denies nothing has all of it. */
function isAffirmedTogether(stems: readonly string[], statements: readonly Statement[]): boolean {
  return statements.some(({ words, deniedParts }) => {
    const parts = new Map<number, Set<string>>();
    for (const { stem, part } of words)
      if (!deniedParts.has(part)) parts.set(part, (parts.get(part) ?? new Set()).add(stem));
    return [...parts.values()].some((there) => stems.every((stem) => there.has(stem)));
  });
}

/** How a sentence denies what the sources do not, or says without denial what they deny. */
export function readDenial(
  said: Statement,
  ground: Ground,
): "denied" | "denied-freely" | "not-denied" | undefined {
  const { statements, stems: all, nearDenials: loose } = ground;
  const deniedHere = said.words.filter((word) => word.isDenied && word.isContent);
  const saidStems = new Set(said.words.map(({ stem }) => stem));
  const hasSoftSource = ground.words.some(
    ({ stem, lower }) => !saidStems.has(stem) && (softDenials.has(stem) || isUnDone(lower)),
  );

  // What the sentence denies is not denied by the source.
  for (const part of said.deniedParts) {
    const reach = deniedHere.filter((word) => word.part === part && all.has(word.stem));
    const judged =
      reach.length > 0
        ? reach
        : said.words.filter((word) => word.part === part && word.isContent && all.has(word.stem));
    const told = new Set(judged.map(({ stem }) => stem));
    const isOther =
      (told.size > 0 && !judged.some(({ stem }) => loose.has(stem)) && !hasSoftSource) ||
      (told.size > 1 && !isDeniedTogether(told, ground));
    // In words of its own: what it denies may be the contrary of what the source says.
    const isFree = deniedHere.some((word) => word.part === part && !all.has(word.stem));
    if (isOther) return isFree ? "denied-freely" : "denied";
  }
  // What the source denies is said without the denial.
  if (said.hasBareDenial) return undefined;
  const softHere = said.words.some(({ stem }) => softDenials.has(stem) && !all.has(stem));
  if (softHere) return undefined;
  const supposed = new Set(
    said.words
      .filter(
        ({ lower, part }, at) =>
          said.words[at - 1]?.part !== part &&
          /^(?:if|when|while|once|wenn|sobald|si|cuando)$/.test(lower),
      )
      .map(({ part }) => part),
  );
  const open = new Set(
    said.words
      .filter(
        ({ part, isContent, isDenied }) =>
          isContent && !isDenied && !said.deniedParts.has(part) && !supposed.has(part),
      )
      .map(({ stem }) => stem),
  );
  const anyDenied = new Set(
    said.words
      .filter(({ part, isDenied }) => isDenied || said.deniedParts.has(part))
      .map(({ stem }) => stem),
  );
  const isDropped = statements.some((source) =>
    [...source.deniedParts].some((part) => {
      const denied = source.words
        .filter((word) => word.part === part && word.isDenied && word.isContent)
        .map(({ stem }) => stem);
      const telling = denied.filter((stem) => !lightWords.has(stem));
      const reach = [...new Set(telling.length > 0 ? telling : denied)];
      if (reach.length === 0) return false;
      const repeated = reach.filter((stem) => saidStems.has(stem));
      return (
        repeated.length * 2 > reach.length &&
        repeated.every((stem) => open.has(stem) && !anyDenied.has(stem)) &&
        !isAffirmedTogether(repeated, statements)
      );
    }),
  );
  return isDropped ? "not-denied" : undefined;
}

/** What stands next to a denial is nowhere denied in the sources: "was not delayed", where it was. */
export function deniesAffirmed(said: Statement, { statements, words: sources }: Ground): boolean {
  return said.words.some(({ lower, part }, at) => {
    const isCue = /^(?:not|cannot|nicht|no|don't|never)$|n't$/.test(lower);
    if (!isCue || !said.deniedParts.has(part)) return false;
    const next = said.words.slice(at + 1, at + 5).filter((one) => one.part === part);
    const head = next.findIndex(({ isContent }) => isContent);
    const near = next.slice(0, head + 1);
    const stem = near.at(-1)?.stem;
    const isOtherwise =
      near.some((one) => sources.some((source) => areContrary(source.stem, one.stem))) ||
      said.quantities.some((one) => one.part === part && one.bound !== 0);
    if (stem === undefined || isOtherwise) return false;
    const places = statements.flatMap(({ words, deniedParts }) =>
      words
        .filter((one) => one.stem === stem)
        .map((one) => one.isDenied || deniedParts.has(one.part)),
    );
    return places.length > 0 && !places.includes(true);
  });
}

import { isCommonForm } from "./common-forms.js";
import type { Ground } from "./ground.js";
import { type Statement, toStem } from "./read-statement.js";

export const softDenials = new Set(
  "down lost lose exclud remov outsid gave forbid prohibit refus lack want empt stop end laps avoid prevent unabl imposs away instead fail miss free exempt rather except verbot prohib"
    .split(" ")
    .map(toStem),
);
export const lightWords = new Set("us add get tak make giv com go do need allow run".split(" "));

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

/** It denies what the sources do not, or says without denial what they deny. */
export function isDeniedOtherwise(said: Statement, ground: Ground): boolean {
  const { statements, stems: all, nearDenials: loose, affirmed } = ground;
  const deniedHere = said.words.filter((word) => word.isDenied && word.isContent);
  const hasSoftSource =
    [...all].some((stem) => softDenials.has(stem)) ||
    ground.words.some(({ lower }) => isUnDone(lower));
  const saidStems = new Set(said.words.map(({ stem }) => stem));

  // What the sentence denies is not denied by the source.
  for (const part of said.deniedParts) {
    const reach = deniedHere.filter((word) => word.part === part && all.has(word.stem));
    const judged =
      reach.length > 0
        ? reach
        : said.words.filter((word) => word.part === part && word.isContent && all.has(word.stem));
    if (judged.length > 0 && !judged.some(({ stem }) => loose.has(stem)) && !hasSoftSource)
      return true;
    const told = new Set(judged.map(({ stem }) => stem));
    if (told.size > 1 && !isDeniedTogether(told, ground)) return true;
  }
  // What the source denies is said without the denial.
  if (said.hasBareDenial) return false;
  const softHere = said.words.some(({ stem }) => softDenials.has(stem) && !all.has(stem));
  if (softHere) return false;
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
  return statements.some((source) =>
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
        !repeated.every((stem) => affirmed.has(stem))
      );
    }),
  );
}

import type { Ground } from "./ground.js";
import { lightWords } from "./items.js";
import { type Statement, toStem } from "./read-statement.js";

/** Stems of words that come near to a denial. */
export const softDenials = new Set(
  "down lost lose exclud remov outsid gave forbid prohibit refus lack want empt stop end laps avoid prevent unabl imposs away instead fail miss free exempt rather except verbot prohib cancel ignor omit deny reject ban absent unavailable disabled without suspend withdraw declin abandon entfällt entfallen ausfallen fehlt gesperrt untersagt ausgeschlossen suprimida cancelado prohibido excluido falta"
    .split(" ")
    .map(toStem),
);

/** Words that begin a condition or a reason. */
export const conditional =
  /^(?:while|when|whenever|if|once|until|before|after|because|as|since|unless|wenn|solange|während|falls|bis|bevor|mientras|cuando|si|hasta|antes|porque|weil)$/;
/** Words that restrict what they affirm: without what they name, the contrary holds. */
export const restricting =
  /^(?:only|solely|exclusively|unless|except|excepting|otherwise|else|instead|nur|sonst|andernfalls|außer|ausgenommen|erst|höchstens|solo|sólo|solamente|únicamente|salvo|excepto)$/;

/** One part that denies nothing has all of it. */
function isAffirmedTogether(stems: readonly string[], statements: readonly Statement[]): boolean {
  return statements.some(({ words, deniedParts }) => {
    const parts = new Map<number, Set<string>>();
    for (const { stem, part } of words)
      if (!deniedParts.has(part)) parts.set(part, (parts.get(part) ?? new Set()).add(stem));
    return [...parts.values()].some((there) => stems.every((stem) => there.has(stem)));
  });
}

/** The part behind another: whether it is a condition, and which share of its words some stems are. */
function readBehind({ words }: Statement, part: number) {
  const behind = words.filter((word) => word.part === part + 1);
  const content = behind.filter(({ isContent }) => isContent);
  return {
    isCondition: conditional.test(behind[0]?.lower ?? ""),
    share: (stems: ReadonlySet<string>) =>
      content.filter(({ stem }) => stems.has(stem)).length / Math.max(1, content.length),
  };
}

/** Whether a sentence says without denial what the sources deny. */
export function dropsDenial(said: Statement, { statements, stems: all }: Ground): boolean {
  const saidStems = new Set(said.words.map(({ stem }) => stem));
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
  const isRestricted = said.words.some(({ lower }) => restricting.test(lower));
  return statements.some((source) =>
    [...source.deniedParts].some((part) => {
      if (isRestricted && source.words.some(({ lower }) => restricting.test(lower))) return false;
      const { isCondition, share } = readBehind(source, part);
      // "Do not touch the head with metal, it is scratched at once": it says what happens otherwise.
      if (!isCondition && share(saidStems) > 0.5) return false;
      // "Do not pass while it rains" allows "pass, but not while it rains".
      if (isCondition && share(anyDenied) > 0.5) return false;
      const denied = source.words
        .filter((word) => word.part === part && word.isDenied && word.isContent)
        .map(({ stem }) => stem);
      const telling = denied.filter((stem) => !lightWords.has(stem));
      const reach = [...new Set(telling.length > 0 ? telling : denied)];
      if (reach.length === 0) return false;
      // "Untouched" denies "touch".
      if (
        said.words.some(({ lower }) => /^un./.test(lower) && reach.includes(toStem(lower.slice(2))))
      )
        return false;
      const repeated = reach.filter((stem) => saidStems.has(stem));
      return (
        repeated.length * 2 > reach.length &&
        repeated.every((stem) => open.has(stem) && !anyDenied.has(stem)) &&
        !isAffirmedTogether(repeated, statements)
      );
    }),
  );
}

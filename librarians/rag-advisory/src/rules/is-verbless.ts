import { lexicon } from "./lexicon.js";
import { describesBare } from "./statement-verbs.js";
import type { TokenSentence } from "./tokens.js";

const toSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Forms of verbs that make a statement. */
const finite = toSet(
  "is are was were be been am has have had do does did will would shall should can could may might must cannot can't won't isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't 's became began bore bought broke brought built came caught chose cost cut dealt dealt drew drove fell felt found fought froze gave got grew had held hit hurt kept knew laid lay led left lent let lost made meant met outdid overtook owned paid put ran rang read rose said sank sat saw sent set shot shrank shut slid sold sought spent spoke split spread sprang stood stuck struck swore swept swung taught took told thought threw tore understood went withdrew won woke wore wrote written " +
    "lies faces costs covers includes contains needs requires takes gives gets makes runs adjoins borders abuts overlooks serves holds keeps sits stands lives owns uses shows states says reports lists names records allows permits lets bars bans forbids provides offers supplies applies depends varies differs ranges averages totals exceeds equals measures amounts comprises consists belongs remains stays starts begins ends opens closes expires lapses follows leads goes comes charges collects levies pays earns employs houses hosts meets issues grants refuses rejects publishes updates returns refers relates extends reaches crosses joins links connects separates divides falls rises grows drops changes affects results means regulates governs defines sets fixes limits caps protects insures guards reserves sells buys lets rents leases builds develops plans manages maintains repairs cleans receives accepts attracts draws counts tracks measures supports funds subsidises lends borrows taxes exempts entitles obliges binds differs lags leads trails matches explains describes calls dates stems originates carries displays bears",
);
const endsLikePast = toSet(
  "need bed red seed feed speed wed shed hundred indeed breed exceed proceed succeed embed unmatched limited",
);
const bare = toSet(
  `${lexicon.imperative} ${lexicon.ambiguous} face need remain pay live lie vary differ include cover contain require range depend apply serve stand sit own rely fall rise grow work want have like come go`,
);
const pluralSubject = toSet(
  "they we you i who that which people families children both most many some all these those others",
);
const numbers = toSet(
  "one two three four five six seven eight nine ten eleven twelve half dozen hundred thousand lakh crore million none no",
);

/** Words of the shortest sentence that is looked at. */
const minWords = 4;

/**
 * Whether a sentence begins with a verb and has none that could state something: `Cash in on the metro.`
 * Sentences with a number or a label are left alone, and those without an end mark.
 */
export function isVerbless(sentence: TokenSentence): boolean {
  const last = sentence.at(-1);
  if (last?.word !== "." && last?.word !== "!") return false;
  const words = sentence.filter(({ isWord }) => isWord);
  if (!bare.has(words[0]?.word ?? "")) return false;
  if (words.length < minWords || sentence.some(({ word }) => word === ":")) return false;
  return !words.some(({ word }, at) => {
    if (/\d/.test(word) || numbers.has(word) || finite.has(word) || word.endsWith("n't"))
      return true;
    if (/'(?:s|ll|d|re|ve)$/.test(word) && pluralSubject.has(word.slice(0, word.indexOf("'"))))
      return true;
    if (word.length > 3 && word.endsWith("ed") && !endsLikePast.has(word)) return at > 0;
    const before = words[at - 1]?.word ?? "";
    return (
      (bare.has(word) || describesBare.has(word)) &&
      (before.endsWith("s") || pluralSubject.has(before))
    );
  });
}

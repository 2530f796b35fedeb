import { toSingulars } from "../text/tokens.js";

/**
 * The words of English that carry grammar and no subject: a closed class, to which nothing about a domain is added.
 * All in lower case.
 */

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** Forms of be, have and do. */
export const auxiliaries = wordSet(
  "is are was were am be been being do does did has have had isnt arent wasnt werent dont doesnt didnt hasnt havent hadnt aint",
);
/** Modal verbs. */
export const modals = wordSet(
  "can could may might must shall should will would ought cant cannot couldnt mustnt shouldnt wont wouldnt needn't dare",
);
/** Words that begin an open question. */
export const openQuestionWords = wordSet(
  "what whats what's which who whos who's whose whom when whens when's where wheres where's why whys why's how hows how's wat wth",
);
/** Words that deny what follows them. */
const negators = wordSet("not no never none nobody nothing nowhere neither nor without cannot");
/** Articles and words that point. */
export const articles = wordSet("the a an this that these those my our your their his her its");
/** Words for how many. */
export const quantifiers = wordSet(
  "any some all every each many much more most less least few fewer several no both either neither enough other another which what how",
);
/** Words in place of something named elsewhere. */
export const pronouns = wordSet(
  "i me we us you he him she her it they them myself itself themselves one ones someone somebody anyone anybody everyone everybody something anything everything this that these those there",
);
/** Words that refer to something said before. */
export const backReferences = wordSet(
  "it its they them their those these this that he she him his",
);
/** Prepositions. */
export const prepositions = wordSet(
  "in on at of for from to by with without within into onto over under above below between among across against through during before after since until till about behind beside besides near per via off out up down inside outside around toward towards beyond except like than as",
);
/** Words that join. */
export const conjunctions = wordSet(
  "and or but so then plus also because cause since while whereas although though if unless when whenever where that which who whether as than",
);
const pleas = wordSet("please pls plz kindly");
/** Words of courtesy and of beginning, which belong to no clause. */
export const courtesies: ReadonlySet<string> = new Set([
  ...pleas,
  ...wordSet(
    "hi hello hey yo morning afternoon evening ok okay oh so well now then also and but or just first second third next finally lastly quickly immediately actually btw anyway thanks thank sorry hmm um uh right team all guys folks again asap maybe perhaps",
  ),
]);
/** Verbs that ask for words, not for deeds. */
export const tellingVerbs = wordSet(
  "show list tell give name print find get display explain describe summarize summarise compare count enumerate check look see watch view read fetch report say let help remind point clarify outline define search",
);
/** Verbs that report what somebody says. */
export const reportingVerbs = wordSet(
  "said says say saying wrote writes writing asked asks asking told tells telling claims claimed claiming reported reports reporting replied replies mentioned mentions complained complains quoted quotes answered noted demanded demands requested requests states stated",
);
/** Words that take back what was said before. */
export const withdrawals = wordSet(
  "no not wait never nevermind don't dont forget actually sorry oops scratch stop hold",
);
/** Words for all there is. */
const totals = wordSet("all every everything everyone everybody each entire whole any");
/** Words that make a clause a supposition. */
export const conditionals = wordSet("if unless suppose supposing assuming provided whenever once");

const others = wordSet(
  "not only very too just still yet already again ever never always often here there now today yes no ok okay please pls am pm etc vs versus else even both same such own able about almost also away back else maybe however instead nor per quite rather really soon though thus together twice",
);

const functionWords = new Set(
  [
    auxiliaries,
    modals,
    openQuestionWords,
    negators,
    articles,
    quantifiers,
    pronouns,
    prepositions,
    conjunctions,
    courtesies,
    conditionals,
    others,
  ].flatMap((words) => [...words]),
);

/** Whether a word in lower case carries grammar only. */
export function isFunctionWord(lower: string): boolean {
  return functionWords.has(lower) || isContractedAuxiliary(lower);
}

/** Whether a word in lower case is a form of be, have, do or a modal verb, also a denied one. */
export function isAuxiliary(lower: string): boolean {
  return auxiliaries.has(lower) || modals.has(lower) || isContractedAuxiliary(lower);
}

function isContractedAuxiliary(lower: string): boolean {
  return (
    lower.endsWith("n't") ||
    /^(?:i|we|you|they|he|she|it|that|there|let)'(?:m|s|re|ve|ll|d)$/.test(lower)
  );
}

/** Whether a word in lower case denies what follows it. */
export function isNegator(lower: string): boolean {
  return negators.has(lower) || lower.endsWith("n't") || isPlainContraction(lower);
}

/** `dont`, `isnt`: contractions typed without their apostrophe. */
function isPlainContraction(lower: string): boolean {
  return lower.endsWith("nt") && (auxiliaries.has(lower) || modals.has(lower)) && lower !== "ought";
}

/** Whether a word in lower case makes a request of an order: "please". */
export function isPlea(lower: string): boolean {
  return pleas.has(lower);
}

/** Whether a word in lower case speaks of all there is. */
export function isTotal(lower: string): boolean {
  return totals.has(lower);
}

/** Whether a word in lower case begins an open question: "which", "where", "how". */
export function isOpenQuestionWord(lower: string): boolean {
  return openQuestionWords.has(lower);
}

/** Whether a verb in lower case asks for words, not for deeds: "show", "list", "explain". */
export function isTellingVerb(lower: string): boolean {
  return tellingVerbs.has(lower);
}

/**
 * Nouns for a property, a record or a rule of an event. Behind a verb without an article they make a noun of it: "ship
 * date", "refund policy", "restart times". In lower case, in the singular.
 */
const eventNouns = wordSet(
  "amount attempt average budget button cause chance charge checklist code condition confirmation cost count counter criterion date day deadline decision delay detail documentation duration error event failure fee figure flag form frequency guide guideline hint history hour instruction journal key kind law length limit link list log manual menu method metric minute mode month note notice notification number option owner page percentage period permission policy price procedure process protocol quota range rate ratio reason receipt record report request requirement result right risk role rule schedule script setting share state statistic stat status step success sum team template term threshold time timeline timeout total type value volume week window workflow year",
);

/** Whether a word in lower case is one of them, also in the plural. */
export function isEventNoun(lower: string): boolean {
  return eventNouns.has(lower) || toSingulars(lower).some((one) => eventNouns.has(one));
}

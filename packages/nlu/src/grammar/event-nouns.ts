import { toSingulars } from "../text/tokens.js";

/**
 * Nouns for a property, a record or a rule of an event. Behind a verb without an article they make a noun of it: "ship
 * date", "refund policy", "restart times". In lower case, in the singular.
 */
const eventNouns = new Set(
  "amount attempt average budget button cause chance charge checklist code condition confirmation cost count counter criterion date day deadline decision delay detail documentation duration error event failure fee figure flag form frequency guide guideline hint history hour instruction journal key kind law length limit link list log manual menu method metric minute mode month notice notification number option owner page percentage period permission policy price procedure process protocol quota range rate ratio reason receipt record report request requirement result right risk role rule schedule script setting share state statistic stat status step success sum team template term threshold time timeline timeout total type value volume week window workflow year".split(
    " ",
  ),
);

/** Whether a word in lower case is one of them, also in the plural. */
export function isEventNoun(lower: string): boolean {
  return eventNouns.has(lower) || toSingulars(lower).some((one) => eventNouns.has(one));
}

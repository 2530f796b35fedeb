import { isFunctionWord } from "@constellation/nlu";
import { fields } from "../fields/fields.js";
import { singular } from "../fields/path-words.js";
import type { Investigation } from "../investigation.js";
import { withoutInclusions } from "../query/filters.js";
import { isImage } from "../question/images.js";
import { isBeingThere } from "../question/things.js";

/** Words of fields that are shown, and narrow nothing. */
const fieldWords: ReadonlySet<string> = new Set(
  fields.flatMap(({ words = "" }) => words.split(/[ ,]/)),
);

/** "More than 2 replicas", "older than a day". */
const comparison =
  /\b(?:more|less|fewer|older|newer|younger|larger|bigger|smaller|higher|lower|longer|shorter|at least|at most|over|under|above|below)\b(?: than)?(?: an?| the)? ?\w{1,20}/i;

/** Words that describe a list itself, and types of a Service, which lists are filtered by. */
const ofLists =
  /^(?:.{1,2}|numbers?|counts?|replicas?|total|types?|kinds?|names?|load ?balancers?|node ?ports?|cluster ?ips?|external ?names?)$/i;

/**
 * Finds words of a question for a list that were not used to filter it. The list may then hold objects that the
 * question does not mean.
 *
 * @param by - Words that it was narrowed by.
 */
export function unsortedBy(
  { question, target, namespace }: Investigation,
  by: readonly string[],
): readonly string[] {
  const used = by.flatMap((one) => {
    const said = one.replace(/^not /, "");
    return [said, ...said.split(" ")];
  });
  if (target.kind === "objects" || question.labels.length > 0) return [];
  const rest = used.reduce(
    (text, one) => text.replace(one, " "),
    withoutInclusions(question.query),
  );
  const compared = comparison.exec(rest)?.[0];
  const words = question.names.filter(
    (name) =>
      name !== namespace &&
      !used.includes(name) &&
      !used.includes(singular(name.toLowerCase())) &&
      !fieldWords.has(name.toLowerCase()) &&
      !isBeingThere(name) &&
      !isFunctionWord(name.toLowerCase()) &&
      rest.includes(name) &&
      !isImage(name) &&
      !ofLists.test(name) &&
      !/^\d/.test(name),
  );
  return [...(compared === undefined ? [] : [compared]), ...words].slice(0, 3);
}

import { type ContentWord, readContentWords } from "@constellation/nlu";
import { withAllSymptoms } from "./diagnosis/diagnose.js";
import type { Finding } from "./diagnosis/finding.js";
import { toObjectId } from "./diagnosis/object-id.js";
import { findTopOwner } from "./diagnosis/top-of.js";
import type { Investigation } from "./investigation.js";

/** How much less than the best a failure may match to be given beside it. */
const nearMatch = 0.8;
/** Letters of a word that make it alike another one: "uploads" and "uploaded". */
const minStem = 5;
/** Weight of matching words from which a text is about what a question reports: one rare word, or two usual ones. */
const minWeight = 9;

/**
 * Of everything that is wrong, what the words of a question report, although they name nothing: "could not write to file
 * pg_wal, what do I do?" Undefined where nothing that is wrong has these words.
 *
 * @param names - What the question names, whose parts do not count.
 */
export function narrowToMatching(
  found: Investigation,
  names: readonly string[] = [],
): Investigation | undefined {
  const without = new Set(names.flatMap((name) => name.toLowerCase().split(/[-_.]/)));
  const sure = found.findings.filter(({ current, verified }) => current && verified);
  const asked = readContentWords(found.question.query, { withParts: true }).filter(
    ({ lower }) => !without.has(lower),
  );
  const rated = sure
    .map((one) => ({ one, weight: weighMatch(asked, printAll(one)) }))
    .filter(({ weight }) => weight > 0);
  if (rated.length === 0) return undefined;
  const best = Math.max(...rated.map(({ weight }) => weight));
  const findings = rated.flatMap(({ one, weight }) => (weight >= best * nearMatch ? [one] : []));
  const objects = [...new Set(findings.map(({ object }) => findTopOwner(object, found.view)))];
  return {
    ...found,
    target: { kind: "objects", objects, guessed: true },
    objects,
    subject: objects.slice(0, 3).map(toObjectId).join(", "),
    own: new Set(objects.map(toObjectId)),
    findings,
    aside: sure.filter((one) => !findings.includes(one)),
    setAside: { over: [], early: [], meant: [] },
  };
}

/** How much a text has of the words of a question, 0 where that is too little to be about the same. */
function weighMatch(asked: readonly ContentWord[], text: string): number {
  const own = readContentWords(text, { withParts: true }).map(({ lower }) => lower);
  const stems = new Set(own.map((word) => word.slice(0, minStem)));
  const matching = asked.filter(
    ({ lower }) =>
      own.includes(lower) || (lower.length >= minStem && stems.has(lower.slice(0, minStem))),
  );
  const weight = matching.reduce((sum, one) => sum + one.weight, 0);
  return weight < minWeight ? 0 : weight;
}

/** Everything that a finding says, with what it is on. */
function printAll(one: Finding): string {
  return withAllSymptoms(one)
    .flatMap(({ object, summary, evidence }) => [
      object.kind,
      toObjectId(object),
      summary,
      ...evidence.map(({ text }) => text),
    ])
    .join(" ");
}

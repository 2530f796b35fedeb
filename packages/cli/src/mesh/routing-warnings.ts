import type { LibrarianInfo } from "@constellation/core";
import { type Analyzer, createAnalyzer, matchDelegate } from "@constellation/retrieval";
import { countText } from "../terminal/format.js";

/** A reason why a librarian is hard to choose by its description. */
export interface RoutingWarning {
  readonly kind: "thin-description" | "alike-descriptions" | "misleading-example";
  readonly ids: readonly string[];
  readonly message: string;
}

/** Maximum number of librarians that are compared with each other. */
const maxCompared = 200;
/** Minimum number of words with which a description without examples says enough. */
const minWords = 3;
/** Minimum share of common words at which two descriptions are alike. */
const alikeShare = 0.7;
/** Minimum margin, in words of an example, by which another librarian must fit better. */
const misleadingLead = 0.2;

/**
 * Finds descriptions that are too thin or too alike to choose a librarian by, and examples that another librarian fits
 * better: each is compared as if it were a new question. Nothing in a mesh of one or two librarians.
 */
export function findRoutingWarnings(all: readonly LibrarianInfo[]): readonly RoutingWarning[] {
  const analyzer = createAnalyzer();
  const librarians = all
    .filter(isRouted)
    .slice(0, maxCompared)
    .map((info) => ({ info, own: readTerms(info.description ?? "", analyzer) }));
  if (librarians.length < 3) return [];
  const warnings: RoutingWarning[] = [];
  for (const [at, { info, own }] of librarians.entries()) {
    const { id, examples = [] } = info;
    if (own.size < minWords && examples.length === 0) {
      warnings.push({
        kind: "thin-description",
        ids: [id],
        message: `"${id}": its description has ${countText(own.size, "word")} to choose it by, and no examples. Add three questions, as people ask them, to examples.`,
      });
    }
    for (const other of librarians.slice(at + 1)) {
      const shared = [...own].filter((word) => other.own.has(word)).length;
      const share = shared / Math.max(1, own.size + other.own.size - shared);
      if (share < alikeShare) continue;
      warnings.push({
        kind: "alike-descriptions",
        ids: [id, other.info.id],
        message: `"${id}" and "${other.info.id}": their descriptions are nearly the same. Say in each what only it answers.`,
      });
    }
    for (const example of examples) {
      const own = { ...info, examples: examples.filter((each) => each !== example) };
      const ownShare = matchDelegate(example, [own], { minShare: 0, analyzer })?.share ?? 0;
      const others = librarians.flatMap((each) => (each.info === info ? [] : each.info));
      const better = matchDelegate(example, others, {
        ownShare: ownShare + misleadingLead,
        analyzer,
      });
      if (better === undefined) continue;
      warnings.push({
        kind: "misleading-example",
        ids: [id, better.to],
        message: `"${id}": its example "${example.slice(0, 120)}" goes to "${better.to}" by its words. Use those words in the description of "${id}", or change the example.`,
      });
    }
  }
  return warnings;
}

/** Whether a librarian is chosen by its description: one that only delegates to others is not. */
export function isRouted({ capabilities }: LibrarianInfo): boolean {
  return capabilities?.includes("delegation.members") !== true;
}

function readTerms(text: string, analyzer: Analyzer): ReadonlySet<string> {
  return new Set(analyzer.terms(text.slice(0, 8_000)).map((term) => term.text));
}

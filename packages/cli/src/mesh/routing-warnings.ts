import type { LibrarianInfo } from "@constellation/core";

/** What makes a librarian hard to choose by its description. */
export interface RoutingWarning {
  readonly kind: "thin-description" | "alike-descriptions" | "misleading-example";
  readonly ids: readonly string[];
  readonly message: string;
}

/** Maximum number of librarians that are compared with each other. */
const maxCompared = 200;
/** Minimum number of words with which a description without examples says enough. */
const minWords = 3;
/** Share of the words of both from which on two descriptions are alike. */
const alikeShare = 0.7;
/** Minimum number of characters of a word that says something. */
const minWordLength = 4;

/**
 * Finds descriptions that are too thin or too alike to choose a librarian by, and examples that have more words of another
 * librarian's description and examples than of its own. Nothing in a mesh of one or two librarians.
 */
export function findRoutingWarnings(all: readonly LibrarianInfo[]): readonly RoutingWarning[] {
  const librarians = all
    .filter(({ capabilities }) => capabilities?.includes("delegation.members") !== true)
    .slice(0, maxCompared)
    .map((info) => ({ info, own: readWords([info.description ?? ""]) }));
  if (librarians.length < 3) return [];
  const warnings: RoutingWarning[] = [];
  for (const [at, { info, own }] of librarians.entries()) {
    const { id, examples = [] } = info;
    if (own.size < minWords && examples.length === 0) {
      warnings.push({
        kind: "thin-description",
        ids: [id],
        message: `"${id}": its description has ${own.size} words to choose it by, and no examples. Add three questions, as people ask them, to examples.`,
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
      const words = readWords([example]);
      const count = (texts: readonly string[]) => {
        const known = readWords(texts);
        return [...words].filter((word) => known.has(word)).length;
      };
      const rest = examples.filter((each) => each !== example);
      const most = count([info.description ?? "", ...rest]);
      const better = librarians.find(
        (each) =>
          each.info !== info &&
          count([each.info.description ?? "", ...(each.info.examples ?? [])]) > most + 1,
      );
      if (better === undefined) continue;
      warnings.push({
        kind: "misleading-example",
        ids: [id, better.info.id],
        message: `"${id}": its example "${example.slice(0, 120)}" has more words of "${better.info.id}". Use those words in the description of "${id}", or change the example.`,
      });
    }
  }
  return warnings;
}

/** The words that say something, in lower case and without the endings of the plural. */
function readWords(texts: readonly string[]): ReadonlySet<string> {
  const words =
    texts
      .join(" ")
      .slice(0, 8_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words
      .filter((word) => word.length >= minWordLength)
      .map((word) => (word.endsWith("s") ? word.slice(0, -1) : word)),
  );
}

import type { KnowledgeBaseView } from "../knowledge-base-view.js";
import { createSectionText, type SectionText } from "./section-text.js";

/** Data computed from a knowledge base, kept as long as its view. */
export interface KnowledgeIndex {
  /** Whether a page exists, by its exact path. */
  has(file: string): boolean;
  /** Files by their last segment, in lower case. */
  filesNamed(name: string): readonly string[];
  /** Sections of a page; empty for an unknown one. */
  getSections(file: string): readonly SectionText[];
  /** Whether any section passes. Only sections that contain every one of the words are tested.
   *
   * @param words - In lower case: runs of letters and digits, as `wordRuns` gives them.
   */
  some(words: readonly string[], passes: (section: SectionText) => boolean): boolean;
}

const indexes = new WeakMap<KnowledgeBaseView, KnowledgeIndex>();

/**
 * Gets the index of a knowledge base, the same one at every call. Nothing is read before it is
 * needed.
 */
export function getKnowledgeIndex(view: KnowledgeBaseView): KnowledgeIndex {
  const known = indexes.get(view);
  if (known !== undefined) return known;
  const index = createIndex(view);
  indexes.set(view, index);
  return index;
}

/** Runs of letters and digits of a text in lower case. */
export function wordRuns(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function createIndex(view: KnowledgeBaseView): KnowledgeIndex {
  const sections = new Map<string, readonly SectionText[]>();
  const files = once(() => new Set(view.files()));
  const byName = once(() => groupByName(files()));
  const words = once(() => indexWords([...files()].flatMap(getSections)));

  // Both are checked: a view over a file system may find a file under another spelling of its name.
  const has = (file: string) => files().has(file) && view.hasFile(file);

  function getSections(file: string): readonly SectionText[] {
    if (!has(file)) return [];
    let known = sections.get(file);
    if (known === undefined) {
      known = view.sections(file).map((section) => createSectionText(file, section));
      sections.set(file, known);
    }
    return known;
  }

  return {
    has,
    filesNamed: (name) => byName().get(name) ?? [],
    getSections,
    some: (clues, passes) => words().some(clues, passes),
  };
}

function groupByName(files: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf("/") + 1).toLowerCase();
    const same = named.get(name);
    if (same === undefined) named.set(name, [file]);
    else same.push(file);
  }
  return named;
}

function indexWords(sections: readonly SectionText[]): Pick<KnowledgeIndex, "some"> {
  const postings = new Map<string, number[]>();
  for (const [ordinal, { folded }] of sections.entries()) {
    for (const word of new Set(wordRuns(folded))) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [ordinal]);
      else list.push(ordinal);
    }
  }
  return {
    some(words, passes) {
      const lists = words.map((word) => postings.get(word));
      const [rarest, ...others] = lists.sort((a, b) => (a?.length ?? 0) - (b?.length ?? 0));
      return (rarest ?? []).some((ordinal) => {
        const section = sections[ordinal];
        return (
          section !== undefined &&
          others.every((list) => list !== undefined && includes(list, ordinal)) &&
          passes(section)
        );
      });
    },
  };
}

/** Whether an ascending list contains a number. */
function includes(list: readonly number[], wanted: number): boolean {
  let low = 0;
  let high = list.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = list[middle] ?? 0;
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

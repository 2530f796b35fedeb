import { isFunctionWord } from "../grammar/function-words.js";
import type { SourceValue } from "./compare-values.js";
import { countLanguages, type Language } from "./foreign-words.js";
import { type ItemList, listItems } from "./items.js";
import { type Quantity, readStatement, type Statement, type Word } from "./read-statement.js";
import { splitStatements } from "./split-statements.js";
import { listValues, readContext } from "./values.js";

/** A text that a sentence may rest on: a passage, a fact or a line of evidence. */
export interface Passage {
  readonly id: string;
  readonly text: string;
}

/** A passage, read once for all sentences. */
export interface ReadPassage {
  readonly id: string;
  readonly statements: readonly Statement[];
  readonly folded: string;
  readonly stems: ReadonlySet<string>;
  readonly lowers: ReadonlySet<string>;
}

const maxPassage = 20_000;

/** Reads passages; what is beyond 20,000 characters of one is not read. */
export function readPassages(passages: readonly Passage[]): readonly ReadPassage[] {
  return passages.map(({ id, text }) => {
    const statements = splitStatements(text.slice(0, maxPassage)).map(readStatement);
    const words = statements.flatMap((statement) => statement.words);
    return {
      id,
      statements,
      folded: fold(text.slice(0, maxPassage)),
      stems: new Set(words.map(({ stem }) => stem)),
      lowers: new Set(words.map(({ lower }) => lower)),
    };
  });
}

export function fold(text: string): string {
  // A source's cells and code are compared without their marks: one side may be Markdown, the other plain.
  return text.replace(/[\s|`]+/g, " ").replace(/\\(?=[<>])/g, "");
}

/** What the cited passages say, read once for all sentences of a text. */
export interface Ground {
  readonly cited: readonly ReadPassage[];
  readonly others: readonly ReadPassage[];
  readonly statements: readonly Statement[];
  readonly words: readonly Word[];
  readonly quantities: readonly Quantity[];
  readonly stems: ReadonlySet<string>;
  /** `undefined` where no word tells it. */
  readonly language: Language | undefined;
  readonly hasDenial: boolean;
  readonly values: readonly SourceValue[];
  /** Stems of names that stand within a statement: they tell more than other words. */
  readonly names: ReadonlySet<string>;
  readonly items: readonly ItemList[];
}

function readSourceValues({ statements }: ReadPassage): readonly SourceValue[] {
  return statements.flatMap((statement, at) => {
    const values = listValues(statement);
    return values.map((value) => ({
      ...value,
      context: readContext(value, statement, values, [statements[at - 1], statements[0]]),
    }));
  });
}

export function createGround(
  cited: readonly ReadPassage[],
  others: readonly ReadPassage[] = [],
): Ground {
  const statements = cited.flatMap((one) => one.statements);
  const words = statements.flatMap((one) => one.words);
  const counts = countLanguages(
    words.map(({ lower }) => lower),
    isFunctionWord,
  );
  const names = new Set(
    words
      .filter(({ text, isId, isFirst }) => isId || (!isFirst && /^\p{Lu}/u.test(text)))
      .map(({ stem }) => stem),
  );
  return {
    cited,
    others,
    statements,
    words,
    quantities: statements.flatMap((one) => one.quantities),
    stems: new Set(words.map(({ stem }) => stem)),
    language: languageOf(counts),
    hasDenial: statements.some(({ deniedParts }) => deniedParts.size > 0),
    values: cited.flatMap(readSourceValues),
    names,
    items: statements.map((one) => listItems(one, names)),
  };
}

function languageOf({ en, de, es }: Readonly<Record<Language, number>>): Language | undefined {
  if (en + de + es === 0) return undefined;
  return de + es <= en ? "en" : de > es ? "de" : "es";
}

/** Whether passages have a word in lower case, or a stem. */
export function knows(passages: readonly ReadPassage[], word: string): boolean {
  return passages.some(({ stems, lowers }) => lowers.has(word) || stems.has(word));
}

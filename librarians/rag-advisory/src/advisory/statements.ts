import type { Analyzer } from "@constellation/retrieval";
import type { Question } from "../question/question.js";
import { hasIntent, readForms } from "../question/subject-words.js";
import { type ContentSpan, findDropped } from "../rules/content-rules.js";
import { splitSentences } from "../rules/tokens.js";
import type { Chunk } from "../store/vector-store.js";
import { sourceName } from "./citation.js";
import { hasPersonalData, toPlainText } from "./plain-text.js";
import type { Passage } from "./retrieve.js";

/** What a statement is about. */
export type Topic = "trend" | "market" | "price" | "location";

/** A sentence of a source that may be in an advisory. */
export interface Statement {
  readonly text: string;
  readonly source: string;
  readonly chunk: Chunk;
  readonly topic: Topic;
  /** How much it says about the question; the larger the more. */
  readonly weight: number;
}

/** The statements of some passages, and what was kept out of them. */
export interface Statements {
  /** The weightiest first. */
  readonly statements: readonly Statement[];
  /** Pieces that broke a content rule; their sentences were dropped whole. */
  readonly violations: readonly ContentSpan[];
  /** Chunks with a sentence that addresses an assistant: their documents are not to be trusted. */
  readonly suspect: readonly Chunk[];
}

const minLength = 25;
const maxLength = 320;

const topics = readForms<Topic>("topics");

/** Cuts passages into sentences, keeps those that say something and keep the content rules. */
export function readStatements(
  passages: readonly Passage[],
  question: Question,
  analyzer: Analyzer,
): Statements {
  const asked = new Set(analyzer.terms(question.query.slice(0, 2_000)).map(({ text }) => text));
  const violations: ContentSpan[] = [];
  const suspect = new Set<Chunk>();
  const statements = new Map<string, Statement>();
  for (const { chunk, closeness } of passages) {
    for (const sentence of splitSentences(toPlainText(chunk.text))) {
      if (sentence.length < minLength || sentence.length > maxLength) continue;
      if (
        !/^[\p{Lu}\d\p{Sc}"]/u.test(sentence) ||
        !/[.!?]$/.test(sentence) ||
        hasPersonalData(sentence) ||
        hasLink(sentence)
      )
        continue;
      const broken = findDropped(sentence);
      violations.push(...broken);
      if (broken.some(({ act }) => act === "assistant")) suspect.add(chunk);
      if (broken.length > 0 || statements.has(sentence)) continue;
      const text = sentence;
      const terms = new Set(analyzer.terms(text).map((term) => term.text));
      const shared = [...asked].filter((term) => terms.has(term)).length / Math.max(1, asked.size);
      const weight =
        closeness +
        shared +
        (hasIntent(text, question.intent) ? 0.5 : 0) +
        (/\d/.test(text) ? 0.2 : 0);
      statements.set(text, {
        text,
        source: sourceName(chunk),
        chunk,
        topic: classifyTopic(text),
        weight,
      });
    }
  }
  return {
    statements: [...statements.values()].sort((a, b) => b.weight - a.weight),
    violations,
    suspect: [...suspect],
  };
}

/** The source has its own link; one in a sentence could lead anywhere. */
function hasLink(sentence: string): boolean {
  return /\bhttps?:|\bwww\./i.test(sentence);
}

function classifyTopic(text: string): Topic {
  const has = (wanted: Topic) =>
    topics.some(([topic, form]) => topic === wanted && form.test(text)) ||
    (wanted === "price" && /[₹$£]/.test(text));
  // A sector that grows is not a price trend.
  if (has("trend") && has("price")) return "trend";
  return has("market") ? "market" : has("price") ? "price" : "location";
}

import type { SectionHit } from "@constellation/retrieval";
import type { QueryWeights } from "./query-weights.js";
import { splitSentences } from "./sentences.js";

/** Two sections that give different values for one setting. */
export interface Conflict {
  /** The setting, in the words of the first section. */
  readonly subject: string;
  readonly values: readonly [string, string];
  readonly places: readonly [SectionHit, SectionHit];
}

interface Statement {
  readonly subject: string;
  /** Terms of the subject, sorted, so that spelling and order make no difference. */
  readonly key: string;
  readonly value: string;
  /** Normalised, so that `60s`, `1 minute` and `60 seconds` are equal. */
  readonly amount: string;
}

/**
 * "The default timeout is 30 seconds", "`max_age` defaults to 5m": up to six words, a verb that
 * sets, and a number, a size or a switch. Only prose is read: values in examples and code hold for
 * these alone.
 */
const setting =
  /\b(?:is(?:\s+set\s+to|\s+limited\s+to|\s+by\s+default)?|are|defaults\s+to|default\s+is|must\s+be|equals)\s+[`"]?(\d+(?:\.\d+)?\s?(?:%|[a-zµ]{1,12}\b)?|true|false)(?![\w-])/giu;
const subjectBefore = /(?:[`"]?[\p{L}_][\p{L}\p{N}_.-]{0,60}[`"]?\s+){1,6}$/u;
/** Maximum number of characters before the verb that may hold its subject. */
const maxSubjectLength = 160;

const leading = /^(?:(?:the|a|an|its|this|that|whose|and|but|so|by|default|of|for)\s+)+/i;

/**
 * Finds two sections, from different pages, that give different values for one setting of the
 * query.
 */
export function findConflict(
  hits: readonly SectionHit[],
  weights: QueryWeights,
): Conflict | undefined {
  const seen: { hit: SectionHit; statement: Statement }[] = [];
  const best = hits[0]?.score ?? 0;
  for (const hit of hits.slice(0, 6)) {
    if (hit.score < best * 0.5) break;
    for (const statement of readStatements(hit, weights)) {
      const other = seen.find(
        (each) =>
          each.hit.section.file !== hit.section.file &&
          each.statement.key === statement.key &&
          each.statement.amount !== statement.amount,
      );
      if (other !== undefined) {
        const { subject, value } = other.statement;
        return { subject, values: [value, statement.value], places: [other.hit, hit] };
      }
      seen.push({ hit, statement });
    }
  }
  return undefined;
}

function readStatements({ section }: SectionHit, weights: QueryWeights): readonly Statement[] {
  const prose = section.blocks.filter(({ kind }) => kind !== "code" && kind !== "html");
  return prose.slice(0, 100).flatMap(({ text }) => {
    const found: Statement[] = [];
    for (const { 0: whole, 1: value = "", index } of text.slice(0, 4_000).matchAll(setting)) {
      const before = text.slice(Math.max(0, index - maxSubjectLength), index);
      const sentence = splitSentences(before + whole).at(-1) ?? "";
      const words = subjectBefore.exec(sentence.slice(0, -whole.length))?.[0] ?? "";
      const subject = words.trim().replace(leading, "");
      const terms = [...new Set(weights.read(subject))];
      // Settings that the query does not name may differ from page to page for good reasons.
      if (terms.length === 0 || !terms.every((term) => weights.share([term]) > 0)) continue;
      const key = terms.sort().join(" ");
      found.push({ subject, key, value: value.trim(), amount: normaliseAmount(value) });
    }
    return found;
  });
}

const seconds: Readonly<Record<string, number>> = {
  ms: 0.001,
  millisecond: 0.001,
  milliseconds: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  h: 3_600,
  hour: 3_600,
  hours: 3_600,
  d: 86_400,
  day: 86_400,
  days: 86_400,
};

function normaliseAmount(value: string): string {
  const [, number, unit = ""] =
    /^(\d{1,20}(?:\.\d{1,20})?)\s?(.{0,20})$/.exec(value.trim().toLowerCase()) ?? [];
  if (number === undefined) {
    return /^true$/i.test(value) ? "on" : "off";
  }
  const factor = seconds[unit];
  return factor === undefined
    ? `${Number(number)} ${unit.replace(/s$/, "")}`
    : `${Number(number) * factor} s`;
}

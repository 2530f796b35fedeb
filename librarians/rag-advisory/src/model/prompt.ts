import { promptFence, promptFenceNotice, wholeLines } from "@constellation/authoring";
import { sourceName } from "../advisory/citation.js";
import { toPlainText } from "../advisory/plain-text.js";
import type { Retrieved } from "../advisory/retrieved.js";
import type { RAGResponse } from "../contract/rag-response.js";

/** Maximum characters of a passage that a model is given. */
const maxPassageLength = 6_000;

/** The instructions of every prompt. */
export const system = `You write advisories on property markets. An advisory informs and never decides.

Rules:
- Use only the passages and figures you are given. Every number must be in them, exactly as it is there.
- Name a source exactly as it is given. Put the name in brackets after each figure.
- State facts. Never say what anyone should do, never recommend, never ask anyone to act, never praise.
- summary: 2 or 3 sentences. risk_signals: only risks that a passage states, each with the name of its source.
- Where the passages say nothing, say that the sources say nothing.

${promptFenceNotice}`;

/** The question, what was computed and what was found, fenced as data. */
export function createPrompt(query: string, retrieved: Retrieved, base: RAGResponse): string {
  return promptFence([
    { name: "question", text: query },
    { name: "figures", text: listFigures(base) },
    ...[...retrieved.passages, ...retrieved.surroundings].map((passage) => {
      const { chunk } = passage;
      const { date, city } = chunk.metadata;
      const name = `passage ${JSON.stringify({ source: sourceName(chunk), date, city })}`;
      return { name, text: passageText(passage) };
    }),
  ]);
}

/** The text of a passage, as a prompt has it. */
export function passageText({ chunk }: Retrieved["passages"][number]): string {
  return toPlainText(wholeLines(chunk.text, maxPassageLength));
}

/** What was computed from data rows, in sentences. */
export function listFigures({
  market_context: market,
  valuation_hint: hint,
  sources,
}: RAGResponse): string {
  return [
    market.comparable_properties,
    market.price_trends,
    market.market_conditions,
    hint.estimated_range,
    ...hint.factors,
    `Sources, ${sources.length}: ${sources.map(({ name, date }) => `${name}, ${date}`).join("; ")}`,
  ]
    .filter((line) => line !== undefined && line !== "")
    .join("\n");
}

/** The turn that asks a model to repair its draft. */
export function createCorrection(problems: readonly string[]): string {
  const named = problems.slice(0, 20).map((problem) => `- ${problem}`);
  return `This draft breaks the rules:\n${named.join("\n")}\nWrite it again without that, from the same passages.`;
}

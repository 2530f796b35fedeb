import type { Delegate, Response } from "@constellation/core";
import { toPlainLine } from "./plain-line.js";

/** Maximum number of librarians that an introduction names one by one, and of examples of each. */
const maxNamed = 12;
const maxExamples = 2;
const maxTextLength = 200;

/**
 * Maximum number of characters of a question that is checked for being about the librarians
 * themselves.
 */
const maxQuestionLength = 100;

/** Questions about the available librarians, without greeting and end mark. */
const forms: readonly RegExp[] = [
  /^help(?: me)?$/,
  /^(?:what|who) are you$/,
  /^what (?:can|could|do) (?:you|i|we|this mesh) (?:do|ask|know|answer|offer)(?: (?:me|you|here|about|for me|for us|with|help with|of you))?$/,
  /^what (?:can|could) you help (?:me |us )?(?:with|do)$/,
  /^what (?:questions )?(?:can|may|could|should) i ask(?: you| here)?$/,
  /^how can you help(?: me| us)?$/,
  /^(?:who|which librarians) (?:is|are) (?:there|here|available|registered)$/,
  /^(?:which|what) librarians (?:do you have|do you know|can i ask|exist)$/,
  /^(?:list|show)(?: me)?(?: all)?(?: the| your)? (?:librarians|capabilities)$/,
  /^what are your capabilities$/,
];

/** Whether a question is about the librarians themselves: "What can you do?" */
export function asksWhatIsHere(query: string): boolean {
  if (query.length > maxQuestionLength) return false;
  const text = query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^(?:hello|hi|hey)(?: there)? (?=\S)/, "");
  return forms.some((form) => form.test(text));
}

/** Lists the available librarians and what each can be asked. */
export function introduce(delegates: readonly Delegate[]): Response {
  if (delegates.length === 0) {
    const answer = "No librarian is available to answer questions.";
    return { answer, headline: answer, confidence: 1 };
  }
  const lines = delegates
    .slice(0, maxNamed)
    .map(({ id, name, description = "", examples = [] }) => {
      const asked = examples
        .slice(0, maxExamples)
        .map((example) => `"${toPlainLine(example, maxTextLength)}"`)
        .join(" ");
      const about = toPlainLine(description, maxTextLength);
      return `- **${toPlainLine(name ?? id, 80)}**: ${[about, asked].filter((text) => text !== "").join(" ")}`;
    });
  const { length } = delegates;
  const more = length > maxNamed ? `\n\nAnd ${length - maxNamed} more.` : "";
  const who = length === 1 ? "this librarian" : `these ${length} librarians`;
  return {
    answer: `Your questions go to ${who}:\n\n${lines.join("\n")}${more}`,
    headline: `Your questions go to ${who}.`,
    confidence: 1,
  };
}

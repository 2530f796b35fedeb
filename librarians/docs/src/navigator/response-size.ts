import { finding, type NavigatorFinding } from "./finding.js";

/** Limits of a navigator response that can be checked completely. */
export const navigatorLimits = {
  /** Characters of `answer`. */
  answerLength: 100_000,
  /** Characters of any other text. */
  textLength: 4_000,
  /** Items of `sources` and of `relatedTopics`. */
  items: 200,
} as const;

/**
 * Reports the first part of a value that exceeds {@link navigatorLimits}. Does not check whether
 * the value is a response.
 */
export function sizeProblem(value: unknown): NavigatorFinding | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { answerLength, textLength, items } = navigatorLimits;
  const { answer, sources, confidenceReason, relatedTopics } = value as Readonly<
    Record<string, unknown>
  >; // any object can be read like this
  const texts: [field: string, text: unknown, most: number][] = [
    ["answer", answer, answerLength],
    ["confidenceReason", confidenceReason, textLength],
  ];
  for (const [field, list] of Object.entries({ sources, relatedTopics })) {
    if (!Array.isArray(list)) continue;
    if (list.length > items) {
      const message = `Expected at most ${items} items, got ${list.length}.`;
      return finding("error", "limits", field, "", message);
    }
    for (const [order, item] of list.entries()) {
      const at = `${field}[${order}]`;
      const parts = typeof item === "object" && item !== null ? Object.values(item) : [item];
      texts.push(...parts.map((part): [string, unknown, number] => [at, part, textLength]));
    }
  }
  for (const [field, text, most] of texts) {
    if (typeof text !== "string" || text.length <= most) continue;
    const message = `Expected at most ${most} characters, got ${text.length}.`;
    return finding("error", "limits", field, text, message);
  }
  return undefined;
}

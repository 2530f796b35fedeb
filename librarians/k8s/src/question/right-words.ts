/** Verbs of the Kubernetes API, by the words that people use for them. */
const verbs: readonly (readonly [RegExp, string])[] = [
  [/\b(?:delete|remove)\b/i, "delete"],
  [/\b(?:create|deploy|make)\b/i, "create"],
  [/\b(?:patch|edit|change|scale|restart)\b/i, "patch"],
  [/\bupdate\b/i, "update"],
  [/\bwatch\b/i, "watch"],
  [/\blist\b/i, "list"],
  [/\b(?:get|read|see|view|access)\b/i, "get"],
];

/** The verb of the API that a question about rights names. */
export function verbIn(query: string): string | undefined {
  return verbs.find(([pattern]) => pattern.test(query))?.[1];
}

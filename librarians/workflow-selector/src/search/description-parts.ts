import type { Workflow } from "../catalog/workflow.js";

/** What an entry says of itself, each as text; blank where it says nothing. */
export interface DescriptionParts {
  readonly what: string;
  readonly whenToUse: string;
  readonly whenNotToUse: string;
  readonly preconditions: string;
}

/** How a sentence begins that says when not to use an entry, when to, and what must be so before. */
const beginnings = [
  [
    "whenNotToUse",
    /^(?:(?:do not|don't|never|not to be|must not be|should not be)\b|not (?:for|when|if|where|suitable|meant)\b|avoid\b|unsuitable\b|wrong (?:for|when|if)\b|except (?:for|when)\b)/i,
  ],
  [
    "preconditions",
    /^(?:requires?|needs?|preconditions?|prerequisites?|only (?:when|if|where|for))\b/i,
  ],
  ["whenToUse", /^(?:use|used|run|choose|apply|for|when|if|where|helps?|suitable|meant)\b/i],
] as const;

/** "If Argo CD owns it, don't." */
const advises = /\b(?:do not|don't)[.!]?$/i;

/** Parts of a description: as they are given, else by how the sentences of a plain text begin. */
export function readDescriptionParts({
  description: { what, whenToUse = "", whenNotToUse = "", preconditions = "" },
}: Pick<Workflow, "description">): DescriptionParts {
  const parts = {
    what: [] as string[],
    whenToUse: [whenToUse],
    whenNotToUse: [whenNotToUse],
    preconditions: [preconditions],
  };
  for (const written of what.split(/(?<=[.;!?\n])\s+/)) {
    const sentence = written.trim().replace(/^[-*] /, "");
    const [part = "what"] = advises.test(sentence)
      ? (["whenNotToUse"] as const)
      : (beginnings.find(([, form]) => form.test(sentence)) ?? []);
    parts[part].push(part === "whenNotToUse" ? withoutBeginning(sentence) : sentence);
  }
  const join = (texts: readonly string[]) => texts.filter((text) => text !== "").join(" ");
  return {
    what: join(parts.what),
    whenToUse: join(parts.whenToUse),
    whenNotToUse: join(parts.whenNotToUse),
    preconditions: join(parts.preconditions),
  };
}

/** "Do not use it when it leaks" as "it leaks": its negation is about the use, and not about what follows. */
function withoutBeginning(sentence: string): string {
  return sentence.replace(/^.{0,40}?\b(?:when|if|where|for|while)\b\s*/i, "");
}

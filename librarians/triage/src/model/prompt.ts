import type { Delegate } from "@constellation/core";
import { type FencedText, promptFence, promptFenceNotice } from "@constellation/core/authoring";
import type { QueryAnalysis } from "./query-analysis.js";

/** Instructions for the analysis; the same for every query, so that they can be cached. */
export const analysisSystem = `You analyse a question so that it can be passed to the librarians who can answer it. You do not
answer it.

${promptFenceNotice}

Give:
- intent: what the user wants to know, in one sentence.
- domains: the subjects of the question, none, one or several.
- complexity: simple (one fact), moderate (several facts of one subject), complex (anything more).
- isMultiDomain: true only where the question has several subjects that different librarians answer.
- urgency: normal; high where something is broken for users; critical where everything is down.
- suggestedLibrarians: ids of listed librarians who can answer it or a part of it, best first. None
  where it is about something else.
- keywords: the words of the question that say what it is about.
- analysisConfidence: how sure you are, 0 to 1.`;

/** Instructions for the decision; the same for every query, so that they can be cached. */
export const decisionSystem = `You decide which librarians a question is passed to. You do not answer it.

${promptFenceNotice}

Rules:
- Choose by what the question is about and by what each librarian can answer, and by nothing else.
- Only ids that are listed, each at most once, at most as many as the limit says.
- strategy none: no listed librarian can answer it, no targets. single: one target. multiple: the question
  has several subjects, and each target gets its own. broadcast: several targets get the whole question,
  only where it is not clear which of them can answer it.
- As few targets as the question needs.
- refinedQueries: for each target what it is asked, as a person would: complete by itself, with the names
  and numbers of the question, nothing added, in the language of the question.
- reasoning: why these, in one sentence.
- expectedImprovement: how much better the answer gets than from the first target alone, 0 to 1.`;

/** Maximum number of characters of a query, and of what one librarian says about itself, that a model is given. */
const maxQueryLength = 8_000;
const maxInfoLength = 1_200;

/** What a model is asked. */
export interface PromptParts {
  readonly query: string;
  readonly shortlist: readonly Delegate[];
  readonly maxDelegates: number;
}

export function analysisPrompt({ query, shortlist }: PromptParts): string {
  return promptFence([question(query), ...shortlist.map(about)]);
}

export function decisionPrompt(
  { query, shortlist, maxDelegates }: PromptParts,
  analysis: QueryAnalysis,
): string {
  const notes = {
    name: "analysis of the question",
    text: JSON.stringify(analysis).slice(0, 4_000),
  };
  return `At most ${maxDelegates} targets.\n\n${promptFence([question(query), notes, ...shortlist.map(about)])}`;
}

function question(query: string): FencedText {
  return { name: "question", text: query.slice(0, maxQueryLength) };
}

function about(delegate: Delegate): FencedText {
  return { name: `librarian ${JSON.stringify(delegate.id)}`, text: describeDelegate(delegate) };
}

/** What a librarian says about itself, for a prompt. */
export function describeDelegate({
  name,
  description,
  capabilities = [],
  examples = [],
}: Delegate): string {
  return [
    name === undefined ? "" : `name: ${name}`,
    `description: ${description ?? ""}`,
    capabilities.length === 0 ? "" : `capabilities: ${capabilities.join(", ")}`,
    ...examples.map((example) => `answers: ${example}`),
  ]
    .filter((line) => line !== "")
    .join("\n")
    .slice(0, maxInfoLength);
}

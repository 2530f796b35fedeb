import { type FencedText, promptFence, promptFenceNotice } from "@constellation/authoring";
import type { Delegate } from "@constellation/core";
import type { QueryAnalysis } from "./query-analysis.js";

/** Instructions for the analysis, the same for every query, so that they can be cached. */
export const analysisSystem = `You analyse a question so that it can be delegated to the librarians who can answer it. You do not
answer it.

${promptFenceNotice}

Give:
- intent: what the user wants to know, in one sentence.
- domains: the subjects of the question; an empty list, one or several.
- complexity: simple (one fact), moderate (several facts of one subject), complex (anything more).
- isMultiDomain: true only where the question has several subjects that different librarians answer.
- urgency: normal; high where something is broken for users; critical where everything is down.
- suggestedLibrarians: ids of listed librarians who can answer it or a part of it, best first. An empty list when the question is about something else.
- keywords: the words of the question that say what it is about.
- analysisConfidence: how sure you are, 0 to 1.`;

/** Instructions for the decision, the same for every query, so that they can be cached. */
export const decisionSystem = `You decide which librarians a question is delegated to. You do not answer it.

${promptFenceNotice}

Rules:
- Consider only the subject of the question and what each librarian can answer.
- Use only listed ids, each at most once, and not more than the limit.
- strategy none: no listed librarian can answer it; targets is empty. single: one target. multiple: the question
  has several subjects, and each target gets its own. broadcast: several targets get the whole question,
  only where it is not clear which of them can answer it.
- Choose as few targets as the question needs.
- refinedQueries: the question for each target, as a person would ask it: complete by itself, with the names and numbers of the question, nothing added, in the language of the question.
- reasoning: why you chose these targets, in one sentence.
- expectedImprovement: how much better the answer is than from the first target alone, 0 to 1.`;

/** Maximum number of characters of a query, and of one librarian's description, in a prompt. */
const maxQueryLength = 8_000;
const maxInfoLength = 1_200;

/** Parts of a prompt. */
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

/** Describes a librarian for a prompt. */
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

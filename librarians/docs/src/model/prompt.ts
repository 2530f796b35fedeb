import {
  type FitOptions,
  fitSections,
  promptFence,
  promptFenceNotice,
  wholeLines,
} from "@constellation/authoring";
import type { SectionHit } from "@constellation/retrieval";

/** Maximum number of characters of one section, and of all sections, in a prompt. */
const maxSectionLength = 6_000;
const maxTotalLength = 30_000;

/** Instructions, the same for every question, so that they can be cached. */
export const system = `You answer questions from the documentation of one knowledge base.

${promptFenceNotice} Only answer from it.

Rules:
- Say nothing that the sections do not say. Names, paths, commands, flags, numbers, versions and URLs
  must be in a section that you cite, exactly as written there. Put code and commands in backticks.
- Name the file and the section that support each statement inline: "(deployment/ssl.md, Configuration)".
- sources: only sections you were given, "file" and "section" copied exactly, most relevant first, and
  why each answers the question.
- confidence: high for a direct, unambiguous answer in the sections; medium where you put it together
  from several or interpret; low where they are incomplete. Sections that contradict each other are
  never high: say so, and what each says.
- confidenceReason: how many sections, how good, and what is missing.
- When the sections do not answer the question: begin with "I don't have information about", no
  sources, outOfDomain false. When the question lies outside the domain: say so, no sources,
  outOfDomain true.
- At most 3,000 characters, in Markdown, without HTML, clear and to the point.`;

/** Parts of a prompt. */
export interface PromptParts {
  readonly query: string;
  readonly domain: string;
  readonly hits: readonly SectionHit[];
}

/**
 * Selects the sections that fit into a prompt: whole ones, or the first paragraphs of a very long
 * one.
 */
export function fittingHits(hits: readonly SectionHit[], fit: FitOptions): readonly SectionHit[] {
  let room = maxTotalLength;
  const bounded = hits.filter((hit) => {
    const { length } = truncateSection(hit);
    if (length === 0 || length > room) return false;
    room -= length;
    return true;
  });
  return fitSections(bounded, truncateSection, fit);
}

/** Puts the question and the sections between fences that their content cannot close. */
export function createPrompt({ query, domain, hits }: PromptParts): string {
  const sections = hits.map((hit) => {
    const { file, heading } = hit.section;
    const name = `section ${JSON.stringify({ file, section: heading })}`;
    return { name, text: truncateSection(hit) };
  });
  const fenced = promptFence([{ name: "question", text: query }, ...sections]);
  return `The domain of this knowledge base: ${JSON.stringify(domain)}\n\n${fenced}`;
}

function truncateSection({ section }: SectionHit): string {
  return wholeLines(section.markdown, maxSectionLength);
}

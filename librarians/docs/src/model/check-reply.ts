import { type GroundedText, groundText, readPassages } from "@constellation/nlu";
import { isPlainMarkdown, type SectionHit } from "@constellation/retrieval";
import { finding, type NavigatorFinding } from "../navigator/finding.js";
import type { KnowledgeBaseView } from "../navigator/knowledge-base-view.js";
import type { NavigatorResponse } from "../navigator/navigator-response.js";
import { statesLack } from "../navigator/stated-lack.js";
import { validateNavigatorResponse } from "../navigator/validate-navigator-response.js";

/** Maximum length of a model's answer, in characters; the prompt asks for less. */
const answerLength = 4_000;

/** Context that a model's reply is checked against. */
export interface ReplyFacts {
  readonly query: string;
  /** The sections in the prompt. */
  readonly hits: readonly SectionHit[];
  readonly view: KnowledgeBaseView;
}

/** A valid reply with the sections it cites, or its violations. */
export type CheckedReply =
  | {
      readonly navigator: NavigatorResponse;
      readonly cited: readonly SectionHit[];
      /** Sentences that do not follow from the cited sections: replaced by their words, or left out. */
      readonly ungrounded: GroundedText["ungrounded"];
    }
  | { readonly violations: readonly NavigatorFinding[] };

/**
 * Checks a reply with the validator, that each source is a section of the prompt, and that each sentence follows from
 * the sections it cites.
 */
export function checkReply(reply: unknown, { query, hits, view }: ReplyFacts): CheckedReply {
  const { response, errors } = validateNavigatorResponse(reply, view, { query });
  if (response === undefined) return { violations: errors };
  const violations = [...errors];
  const cited: SectionHit[] = [];
  for (const [order, { file, section }] of response.sources.entries()) {
    const hit = hits.find(({ section: given }) => given.file === file && isNamed(section, given));
    if (hit !== undefined) {
      if (!cited.includes(hit)) cited.push(hit);
      continue;
    }
    const message =
      "This section is not in the prompt. Cite only sections from the prompt, with file and section exactly as given.";
    violations.push(
      finding("error", "section-existence", `sources[${order}]`, `${file}#${section}`, message),
    );
  }
  if (response.answer.trim() === "" || response.answer.length > answerLength) {
    const message = `The answer has ${response.answer.length} characters; expected 1 to ${answerLength}.`;
    violations.push(finding("error", "limits", "answer", "", message));
  }
  if (!isPlainMarkdown(response.answer)) {
    const message =
      "The answer has HTML, a picture or a link whose target is not http or https. Write plain Markdown.";
    violations.push(finding("error", "schema", "answer", "", message));
  }
  if (violations.length > 0) return { violations };
  const grounded = ground(response, cited, hits);
  if (grounded.kept === 0) {
    const message = "No sentence follows from the cited sections. State only what they state.";
    return {
      violations: [finding("error", "source-answer-alignment", "answer", response.answer, message)],
    };
  }
  const relevance = new Map(
    response.sources.map((source) => [
      hits.find(({ section }) => section.file === source.file && isNamed(source.section, section)),
      source.relevance,
    ]),
  );
  return {
    cited,
    ungrounded: grounded.ungrounded,
    navigator: {
      ...response,
      answer: grounded.text,
      sources: cited.map((hit) => ({
        file: hit.section.file,
        section: hit.section.heading,
        relevance: relevance.get(hit) ?? "",
      })),
    },
  };
}

/** The answer with the words of the cited sections in place of sentences that do not follow from them. */
function ground(
  { answer, outOfDomain }: NavigatorResponse,
  cited: readonly SectionHit[],
  hits: readonly SectionHit[],
): GroundedText {
  if (outOfDomain || cited.length === 0) return { text: answer, kept: 1, ungrounded: [] };
  const toPassages = (some: readonly SectionHit[]) =>
    readPassages(
      some.map(({ section: { file, headingPath, text } }) => ({
        id: file,
        text: `${[file, ...headingPath].join("\n\n")}\n\n${text}`,
      })),
    );
  return groundText(answer, toPassages(cited), {
    others: toPassages(hits.filter((hit) => !cited.includes(hit))),
    isExempt: statesLack,
  });
}

/** A citation may also be the anchor or the path of headings. */
function isNamed(cited: string, { heading, anchor, headingPath }: SectionHit["section"]): boolean {
  const normalise = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const name = normalise(cited.replace(/^#+\s*/, ""));
  if (name === normalise(heading)) return true;
  return name === anchor.toLowerCase()
    ? anchor !== ""
    : name === normalise(headingPath.join(" > "));
}

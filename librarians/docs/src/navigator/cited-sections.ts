import { containmentProblem } from "./contained-path.js";
import type { KnowledgeIndex } from "./evidence/knowledge-index.js";
import type { SectionText } from "./evidence/section-text.js";
import { finding, type NavigatorFinding } from "./finding.js";
import type { NavigatorSource } from "./navigator-response.js";

/** The sections and files that the sources of a response refer to. */
export interface CitedSections {
  readonly findings: readonly NavigatorFinding[];
  /** Each section once. When a section is not found, all sections of its file. */
  readonly sections: readonly SectionText[];
  /** Cited files that exist. */
  readonly files: ReadonlySet<string>;
}

/**
 * Looks up the cited sections and reports files outside the root or missing, and missing sections.
 */
export function readCitedSections(
  sources: readonly NavigatorSource[],
  index: KnowledgeIndex,
): CitedSections {
  const findings: NavigatorFinding[] = [];
  const sections = new Set<SectionText>();
  const files = new Set<string>();
  for (const [order, { file, section }] of sources.entries()) {
    const field = `sources[${order}]`;
    const problem = containmentProblem(file);
    if (problem !== undefined) {
      const message = `The cited path ${problem}. Cite files by their path relative to the knowledge base root.`;
      findings.push(finding("error", "containment", `${field}.file`, file, message));
      continue;
    }
    const inFile = index.getSections(file);
    if (!index.has(file)) {
      const message = `The cited file ${quote(file)} is not in the knowledge base.`;
      findings.push(finding("error", "source-existence", `${field}.file`, file, message));
      continue;
    }
    files.add(file);
    const named = sectionsNamed(section, inFile);
    if (named.length === 0) {
      const message =
        section.trim() === ""
          ? `No section of ${quote(file)} is named. Cite the heading that supports the answer.`
          : `${quote(file)} has no section ${quote(section)}. Cite a heading of that file exactly as written.`;
      findings.push(finding("error", "section-existence", `${field}.section`, section, message));
    }
    for (const each of named.length === 0 ? inFile : named) sections.add(each);
  }
  return { findings, sections: [...sections], files };
}

/** Sections that a citation can refer to: by heading, anchor or heading path. */
function sectionsNamed(cited: string, sections: readonly SectionText[]): readonly SectionText[] {
  const anchor = cited
    .trim()
    .replace(/^#+\s?/, "")
    .toLowerCase();
  const name = normaliseHeading(cited);
  if (anchor === "") return [];
  const byHeading = sections.filter(
    ({ section }) => name !== "" && normaliseHeading(section.heading) === name,
  );
  if (byHeading.length > 0) return byHeading;
  return sections.filter(({ section: { anchor: known = "", heading, headingPath = [] } }) => {
    if (known.toLowerCase() === anchor) return true;
    const path = headingPath.at(-1) === heading ? headingPath : [...headingPath, heading];
    return (
      name !== "" && path.some((_, from) => normaliseHeading(path.slice(from).join(" ")) === name)
    );
  });
}

/** Letters and digits of a heading in lower case, so that marks and spacing make no difference. */
function normaliseHeading(heading: string): string {
  const text = heading
    .slice(0, 1_000)
    .normalize("NFC")
    .replace(/\]\([^()]{0,300}\)/g, "]")
    .toLowerCase();
  const words = text.match(/[\p{L}\p{N}]+/gu);
  return words?.join(" ") ?? text.trim();
}

function quote(text: string): string {
  return `"${text.length > 100 ? `${text.slice(0, 99)}…` : text}"`;
}

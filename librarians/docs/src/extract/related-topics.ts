import type { KnowledgeBase, Section, SectionHit } from "@constellation/retrieval";

const maxTopics = 5;
const maxTopicLength = 120;

/**
 * Headings below, beside and after the best section; when its page has no others, those of the next
 * best sections. Cited sections are left out.
 */
export function relatedTopics(
  cited: readonly SectionHit[],
  hits: readonly SectionHit[],
  knowledgeBase: Pick<KnowledgeBase, "page">,
): readonly string[] {
  const [best] = cited;
  if (best === undefined) return [];
  const page = knowledgeBase.page(best.section.file);
  const sections = page?.sections ?? [];
  const place = sections.findIndex(({ startLine }) => startLine === best.section.startLine);
  const near = (section: Section) => Math.abs(sections.indexOf(section) - place);
  const neighbours = sections
    .filter((section) => section.level > 0 && isNeighbour(section, best.section))
    .sort((a, b) => near(a) - near(b));
  const others = hits.map(({ section }) => section);
  const asked = new Set(cited.map(({ section }) => section.heading.toLowerCase()));
  const title = page?.title.toLowerCase();
  const topics = (some: readonly Section[]) => [
    ...new Set(some.map(({ heading }) => heading.slice(0, maxTopicLength))),
  ];
  const beside = topics(neighbours).filter(
    (topic) => !asked.has(topic.toLowerCase()) && topic.toLowerCase() !== title,
  );
  const found =
    beside.length > 0 ? beside : topics(others).filter((topic) => !asked.has(topic.toLowerCase()));
  return found.filter((topic) => topic !== "").slice(0, maxTopics);
}

/** Whether two sections are under the same heading, or one is directly under the other. */
function isNeighbour(section: Section, of: Section): boolean {
  const [above, own] = [parentPath(of), of.headingPath.join("\n")];
  return parentPath(section) === above || parentPath(section) === own;
}

function parentPath({ headingPath }: Section): string {
  return headingPath.slice(0, -1).join("\n");
}

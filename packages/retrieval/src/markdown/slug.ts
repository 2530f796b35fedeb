import GithubSlugger, { slug } from "github-slugger";

/** Creates the anchor that GitHub gives a heading.
 *
 * @param heading - Its text, without markup.
 */
export function toSlug(heading: string): string {
  return slug(heading.trim());
}

/** Numbers equal anchors within a page: the second "Usage" is `usage-1`. */
export function createSlugger(): (heading: string) => string {
  const slugger = new GithubSlugger();
  return (heading) => slugger.slug(heading.trim());
}

/** Wraps untrusted text in inline code that nothing in the text can close. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** A block of untrusted text that nothing in the text can close. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Escapes untrusted text as prose, without tags, links or images. */
export function escaped(text: string): string {
  return text
    .replace(/<(?=[a-z!/?])/gi, "\\<")
    .replace(/\](?=[([])/g, "\\]")
    .replace(/`/g, "\\`");
}

/** True when Markdown outside of code holds a tag or a comment. */
export function rawTags(markdown: string): boolean {
  return /(?<!\\)<(?:\/?[a-z]|!--)/i.test(extractProse(markdown));
}

/** Markdown without its inline code and code blocks: what is between two equal runs of backticks. */
function extractProse(markdown: string): string {
  const runs = [...markdown.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const last = new Map(runs.map(({ length }, at) => [length, at]));
  let prose = "";
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at];
    if (open === undefined || (last.get(open.length) ?? at) <= at) continue; // it closes nowhere
    prose += markdown.slice(from, open.index);
    do at++;
    while (runs[at]?.length !== open.length);
    from = (runs[at]?.index ?? markdown.length) + open.length;
  }
  return prose + markdown.slice(from);
}

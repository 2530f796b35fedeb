/** Text of others as inline code, which nothing in it can close. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Text of others as prose: nothing in it is a tag, a link or an image. */
export function escaped(text: string): string {
  return text
    .replace(/<(?=[a-z!/?])/gi, "\\<")
    .replace(/\](?=[([])/g, "\\]")
    .replace(/`/g, "\\`");
}

/** True when Markdown outside of code holds a tag or a comment. */
export function rawTags(markdown: string): boolean {
  const prose = markdown.replace(/(`+)[\s\S]*?\1/g, "");
  return /(?<!\\)<(?:\/?[a-z][^<>]*|!--)/i.test(prose);
}

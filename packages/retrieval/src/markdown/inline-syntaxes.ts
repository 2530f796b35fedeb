import { withoutTags } from "./template-tags.js";

/** Markup of a documentation tool within a line, and what readers see of it. */
type InlineSyntax = readonly [pattern: RegExp, shown: string];

/** Marks of code between back quotes. */
const marksOfCode: readonly InlineSyntax[] = [
  // Sphinx: {ref}`Title <target>`, {kbd}`Ctrl`
  [/(?<![\w`])\{[a-z][a-z0-9:+.-]{1,40}\}`([^`<>\n]{1,200}) <[^`<>\n]{1,200}>`/g, "$1"],
  [/(?<![\w`])\{[a-z][a-z0-9:+.-]{1,40}\}(?=`[^`\n])/g, ""],
  // Nextra: `code{:js}`
  [/\{:[\w.-]{1,30}\}(?=`)/g, ""],
  // MkDocs: `#!js code`
  [/(?<=(?<!`)`)#![a-z][\w+-]{0,20} (?=[^\s`])/g, ""],
];

/** Marks outside of code. */
const marks: readonly InlineSyntax[] = [
  // mdBook: {{#include file.rs}}
  [/\{\{#[a-z_]{1,30}(?:\s[^{}\n]{0,300})?\}\}/g, ""],
  // Jekyll: [text]({{ site.url }}/page)
  [/(?<=\]\()\{\{[^{}\n]{1,100}\}\}/g, ""],
  // CriticMarkup: {++new++} {--old--} {~~old~>new~~} {==this==} {>>comment<<}
  [/\{\+\+([^{}+\n]{1,300})\+\+\}/g, "$1"],
  [/\{--[^{}\n]{1,300}--\}/g, ""],
  [/\{~~[^{}~\n]{0,300}~>([^{}~\n]{0,300})~~\}/g, "$1"],
  [/\{==([^{}=\n]{1,300})==\}/g, "$1"],
  [/\{>>[^{}\n]{1,300}<<\}/g, ""],
  // MkDocs: ++ctrl+c++, ==marked==, ^^new^^
  [/(?<![\w+])\+\+([a-z0-9]+(?:[+-][a-z0-9]+){0,8})\+\+(?![\w+])/g, "$1"],
  [/(?<![\w=])==([^\s=][^=\n]{0,200})==(?![\w=])/g, "$1"],
  [/\^\^([^\s^][^^\n]{0,200})\^\^/g, "$1"],
  // MkDocs, GitHub: :material-check: and :white_check_mark:
  [/(?<![\w:]):[a-z][a-z0-9]{0,40}[_-][a-z0-9_-]{1,60}:(?![\w:]) ?/g, ""],
  // Footnotes: [^1], and [^1]: where one is written
  [/\[\^[\w-]{1,40}\]:?/g, ""],
  // Wikis: ![[picture]], [[Page|text]]
  [/!\[\[[^[\]\n]{1,200}\]\]/g, ""],
  [/\[\[[^[\]|\n]{1,200}\|([^[\]|\n]{1,200})\]\]/g, "$1"],
];

/** kramdown, MkDocs, VitePress: { .wide }, {: #id }, {target="_blank"}. Those of a heading name its anchor. */
const attributes: InlineSyntax = [
  / ?\{:? ?(?:[.#][a-z]|[a-z-]{1,20}=["'\w])[^{}\n]{0,200}\}/gi,
  "",
];

/** Characters of which each line with a mark has some. */
const someMark = /\{|\^|==|\+\+|\[\[|:[a-z]|<\/?[A-Z]|`#!/;

/** Replaces the markup of documentation tools within a line by what readers see. Code stays as it is. */
export function toPlainInline(line: string): string {
  if (!someMark.test(line)) return line;
  const isHeading = /^ {0,3}#{1,6}\s/.test(line);
  const syntaxes = isHeading ? marks : [...marks, attributes];
  return outsideCode(replaceAll(line, marksOfCode), (text) =>
    replaceAll(withoutTags(text, isHeading), syntaxes),
  );
}

function replaceAll(text: string, syntaxes: readonly InlineSyntax[]): string {
  return syntaxes.reduce((shown, [pattern, by]) => shown.replace(pattern, by), text);
}

/** Rewrites what is not between back quotes: code ends at as many of them as began it. */
function outsideCode(line: string, rewrite: (text: string) => string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ run, index }));
  const last = new Map(runs.map(({ run, index }) => [run, index]));
  let shown = "";
  let from = 0;
  let code: string | undefined;
  for (const { run, index } of runs) {
    if (code === undefined) {
      if ((last.get(run) ?? index) === index) continue;
      shown += rewrite(line.slice(from, index));
      from = index;
      code = run;
    } else if (run === code) {
      shown += line.slice(from, index + run.length);
      from = index + run.length;
      code = undefined;
    }
  }
  return shown + rewrite(line.slice(from));
}

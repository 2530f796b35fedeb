import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../docs/markdown-blocks.js";

/*
 * Comments, test titles and pages use standard terms (see the glossary in CONTRIBUTING.md). The list holds only
 * phrases that a pattern finds without false alarms.
 */

/** Phrase -> what to write. */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\b(?:nobody|(?:is|are) no one)\b/i, "no one as a subject, or a clause with the subject named"],
  [/\b(?:is|are) no longer\b/i, "not … any more"],
  [/\bthere is no such\b/i, "not found, unknown"],
  [/\bwhoever\b/i, "the caller, any client that"],
  [/\bhand(?:s|ed)? (?:(?:it|them) )?on (?!the\b|a\b)/i, "forwards"],
  [/(?<!what )\b(?:goes|went) on\b(?! the\b)/i, "continues"],
  [/\b(?:is|are|was|were) told\b/i, "is reported, is asked, receives"],
  [/\btells of\b|\btold apart\b/i, "reports, distinguishes"],
  [/\bwhat became of\b/i, "the outcome of"],
  [/\b(?:stands?|stood) for\b/i, "represents"],
  [/\bgives? back\b/i, "returns, releases"],
  [/\b(?:that|which) (?:is|are) none\b/i, "that is not one"],
  [
    /(?<!there )\bis no (?:text|object|answer|number|list|message|array|function|response|router|JSON)\b/i,
    "is not",
  ],
];

/** What is checked: prose that people write for this repository. Quoted and generated text is not. */
const isProse = (file: string): boolean =>
  /\.(?:ts|js|md)$/.test(file) &&
  !/(?:^|\/)(?:runbooks|sample-data|references|CHANGELOG\.md)|^test\/architecture\/vocabulary/.test(
    file,
  );

it("comments, test titles and pages use standard terms", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");

  const found = files.filter(isProse).flatMap((file) => {
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    return proseOf(file, lines).flatMap(([line, text]) =>
      phrases.flatMap(([phrase, instead]) => {
        const [match] = phrase.exec(text) ?? [];
        return match === undefined ? [] : [`${file}:${line}: "${match}": write ${instead}`];
      }),
    );
  });

  expect(found).toEqual([]);
});

it("npx names the command by its package: `constellation` is a package of another project", () => {
  const files = execFileSync("git", ["ls-files", "*.md", "*.ts", "*.js", "*.json", "*.yaml"], {
    cwd: root,
    encoding: "utf8",
  }).split("\n");
  const wrong = /\bnpx (?:-y |--yes )?constellation\b|"npx", "args": \[(?:"-y", )?"constellation"/;

  const found = files
    .filter((file) => file !== "" && !/^docs\/decisions\/0010|^test\/architecture/.test(file))
    .filter((file) => wrong.test(readFileSync(join(root, file), "utf8")));

  expect(found).toEqual([]);
});

/** The lines of prose of a file with their numbers, without code and quoted text. */
function proseOf(file: string, lines: readonly string[]): readonly (readonly [number, string])[] {
  let isFenced = false;
  return lines.flatMap((line, index) => {
    let text: string | undefined;
    if (file.endsWith(".md")) {
      const isFence = /^\s*(?:`{3,}|~{3,})/.test(line);
      if (isFence) isFenced = !isFenced;
      if (!isFenced && !isFence) text = line;
    } else {
      text = /^\s*(?:\/?\*|\/\/)(.*)$/.exec(line)?.[1] ?? /[;,{)\s]\/\/ (.*)$/.exec(line)?.[1];
      text ??= /^\s*(?:it|describe)(?:\.\w+)*\(["`](.*)["`],/.exec(line)?.[1];
    }
    return text === undefined
      ? []
      : [[index + 1, text.replaceAll(/`[^`]*`|"[^"]*"/g, "")] as const];
  });
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { publishableWorkspaces } from "../workspaces.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A regular expression of the sources. */
export interface RegexLiteral {
  /** As it is written: `/a+/g`. */
  readonly text: string;
  readonly source: string;
  readonly flags: string;
  /** Every place it is written at: `path:line`. */
  readonly places: string[];
}

/** What the sources have of regular expressions. */
export interface Regexes {
  /** Each literal once. */
  readonly literals: readonly RegexLiteral[];
  /** Files that make regular expressions from parts. */
  readonly makers: ReadonlySet<string>;
  /** Those of them that do so within a function: what they make may depend on what it is given. */
  readonly dynamicMakers: ReadonlySet<string>;
}

export function readRegexes(): Regexes {
  const literals = new Map<string, RegexLiteral>();
  const makers = new Set<string>();
  const dynamicMakers = new Set<string>();
  for (const file of sourceFiles()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), "utf8"),
      ts.ScriptTarget.Latest,
    );
    visit(source, false, (node, isInFunction) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
        const known = literals.get(node.text) ?? parse(node.text);
        known.places.push(`${file}:${line}`);
        literals.set(node.text, known);
      } else if (makesRegex(node)) {
        makers.add(file);
        if (isInFunction) dynamicMakers.add(file);
      }
    });
  }
  return { literals: [...literals.values()], makers, dynamicMakers };
}

/** Code that meets text of others: sources of packages and librarians, and the console page. */
function sourceFiles(): readonly string[] {
  const folders = publishableWorkspaces().map(({ folder }) => `${folder}/src`);
  return [...folders, "packages/server/console"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `${folder}/${file.replaceAll("\\", "/")}`,
      ),
    )
    .filter((file) => /\.(?:ts|js)$/.test(file) && !file.includes(".test."))
    .sort();
}

type Look = (node: ts.Node, isInFunction: boolean) => void;

function visit(node: ts.Node, isInFunction: boolean, look: Look): void {
  look(node, isInFunction);
  const isInner = isInFunction || ts.isFunctionLike(node);
  ts.forEachChild(node, (child) => visit(child, isInner, look));
}

function makesRegex(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  return ts.isIdentifier(node.expression) && node.expression.text === "RegExp";
}

function parse(text: string): RegexLiteral {
  const end = text.lastIndexOf("/");
  return { text, source: text.slice(1, end), flags: text.slice(end + 1), places: [] };
}

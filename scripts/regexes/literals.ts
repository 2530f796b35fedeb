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

/** All literals of the sources, each once; and the files that make regular expressions as they run. */
export function readRegexes(): {
  readonly literals: readonly RegexLiteral[];
  readonly makers: ReadonlySet<string>;
} {
  const literals = new Map<string, RegexLiteral>();
  const makers = new Set<string>();
  for (const file of sourceFiles()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), "utf8"),
      ts.ScriptTarget.Latest,
    );
    visit(source, (node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
        const known = literals.get(node.text) ?? parse(node.text);
        known.places.push(`${file}:${line}`);
        literals.set(node.text, known);
      } else if (makesRegex(node)) {
        makers.add(file);
      }
    });
  }
  return { literals: [...literals.values()], makers };
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

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

function makesRegex(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  return ts.isIdentifier(node.expression) && node.expression.text === "RegExp";
}

function parse(text: string): RegexLiteral {
  const end = text.lastIndexOf("/");
  return { text, source: text.slice(1, end), flags: text.slice(end + 1), places: [] };
}

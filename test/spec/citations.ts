import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { librarianChecks } from "@constellation/testing";
import ts from "typescript";
import { workspaces } from "../../scripts/workspaces.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A promise, named by a test. */
export interface Citation {
  readonly id: string;
  /** Relative to the root, with the line: `test/spec/chain.test.ts:12`. */
  readonly at: string;
}

/** Every citation in the tests and suites of every workspace. */
export function readCitations(prefixes: readonly string[]): readonly Citation[] {
  return workspaces()
    .flatMap(({ folder }) => testFiles(folder))
    .flatMap((file) => citationsIn(readFileSync(join(root, file), "utf8"), file, prefixes));
}

/**
 * The ids that a test file cites: in a title of `it`, `test` or `describe`, as an argument of
 * `covers`, or because it runs the suite of librarians, whose checks cite them. Tests that are
 * skipped or to do, be it only on some machines, and everything inside them, are left out.
 *
 * @param prefixes - What an id may begin with; others in a title, such as RFC-791, are none.
 */
export function citationsIn(
  source: string,
  file: string,
  prefixes: readonly string[],
): readonly Citation[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const idForm = new RegExp(`\\b(?:(?:${prefixes.join("|")})-\\d{3}|RES-\\d{2})\\b`, "g");
  const found: Citation[] = [];

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { name, isLeftOut } = calledBy(node.expression);
      if (isLeftOut && titled.has(name)) return;
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      const at = `${file}:${line + 1}`;
      if (titled.has(name)) {
        const title = node.arguments[0] === undefined ? "" : textOf(node.arguments[0]);
        for (const [id] of title.matchAll(idForm)) found.push({ id, at });
      }
      if (name === "covers") {
        for (const argument of node.arguments) found.push({ id: textOf(argument), at });
      }
      if (name === "itBehavesLikeALibrarian") {
        for (const title of suiteTitles(node.arguments[0])) {
          for (const [id] of title.matchAll(idForm)) found.push({ id, at });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const titled: ReadonlySet<string> = new Set(["it", "test", "describe"]);

/** Ways not to run a test, on some machines or on all of them. */
const leftOut: ReadonlySet<string> = new Set(["skip", "todo", "skipIf", "runIf"]);

/** `describe.skip.each([1])("...")` is called by `describe`, and left out. */
function calledBy(expression: ts.Expression): { name: string; isLeftOut: boolean } {
  let isLeftOut = false;
  for (let at = expression; ; ) {
    if (ts.isPropertyAccessExpression(at)) {
      isLeftOut ||= leftOut.has(at.name.text);
      at = at.expression;
    } else if (ts.isCallExpression(at)) at = at.expression;
    else if (ts.isTaggedTemplateExpression(at)) at = at.tag;
    else return { name: ts.isIdentifier(at) ? at.text : "", isLeftOut };
  }
}

/** Titles of the checks that the suite runs with these options; what is not written there is not given. */
function suiteTitles(options: ts.Expression | undefined): readonly string[] {
  const given = new Map<string, string>();
  if (options !== undefined && ts.isObjectLiteralExpression(options)) {
    for (const property of options.properties) {
      if (property.name !== undefined) given.set(property.name.getText(), property.getText());
    }
  }
  const without = given.get("without") ?? "";
  return librarianChecks
    .filter(({ needs }) => needs === undefined || given.has(needs))
    .filter(({ part }) => !without.includes(`"${part}"`))
    .map(({ title }) => title);
}

/** The text of a literal, or the fixed parts of a template. */
function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return "";
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(" ");
}

function testFiles(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) {
      return isForeign.has(entry.name) ? [] : testFiles(`${folder}/${entry.name}`);
    }
    return /(?:\.test|-suite)\.ts$/.test(entry.name) ? [`${folder}/${entry.name}`] : [];
  });
}

const isForeign: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage"]);

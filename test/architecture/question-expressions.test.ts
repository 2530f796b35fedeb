import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/**
 * The expressions on the text of questions that stay in the k8s librarian. `helps`: how many more of 1,011 labelled
 * questions that it was not written for have the right intent with it than without it, by words alone. `cases`: how many of
 * the 970 questions of its own cases are read otherwise without it. Where both are absent it belongs to a table of fields,
 * states, conditions or values, or reads syntax. Questions are read through `@constellation/nlu`: a new expression needs a
 * reason that these figures show.
 */
interface Listed {
  readonly expression: string;
  readonly helps?: number;
  readonly cases?: number;
}

const folder = new URL("../../librarians/k8s/src/question/", import.meta.url);
const listed: Readonly<Record<string, readonly Listed[]>> = JSON.parse(
  readFileSync(new URL("question-expressions.json", import.meta.url), "utf8"),
);
/** Characters of an expression that the list has. */
const listedLength = 110;

describe("expressions on the text of questions", () => {
  const files = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name));

  it.each(files)("of %s are those that are listed", (name) => {
    const own = (listed[name] ?? []).map(({ expression }) => expression);

    expect(expressionsIn(name).filter((one) => !own.includes(one))).toEqual([]);
    expect(own.filter((one) => !expressionsIn(name).includes(one))).toEqual([]);
  });

  it("are at most 115", () => {
    const all = Object.values(listed).flat();

    expect(all.length).toBeLessThanOrEqual(115);
  });
});

function expressionsIn(name: string): readonly string[] {
  const source = ts.createSourceFile(
    name,
    readFileSync(new URL(name, folder), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isMade = ts.isNewExpression(node) && node.expression.getText(source) === "RegExp";
    if (isMade || ts.isRegularExpressionLiteral(node))
      found.push(node.getText(source).slice(0, listedLength));
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

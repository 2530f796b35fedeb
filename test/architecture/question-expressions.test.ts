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

/**
 * The expressions by which `@constellation/nlu` and triage read any question. `changed`: how many of 5,252 questions, orders and
 * follow-ups of 20 meshes and of the k8s librarian are read otherwise where it matches nothing; `orders` and `reads`: how many
 * more of 445 orders reach their librarian with it, and how many more of 1,425 reads reach none that writes. Those of `query-parts`, `denied-orders`,
 * `asks-for-facts`, `order-signs` and the new ones of `find-orders`: of 7,025 texts, 602 orders and 1,811 reads.
 */
interface ListedForAny {
  readonly expression: string;
  readonly changed?: number;
  readonly orders?: number;
  readonly reads?: number;
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

const root = new URL("../../", import.meta.url);
const listedForAny: Readonly<Record<string, readonly ListedForAny[]>> = JSON.parse(
  readFileSync(new URL("reading-expressions.json", import.meta.url), "utf8"),
);

describe("expressions on any question", () => {
  const grammar = "packages/nlu/src/grammar/";
  const files = readdirSync(new URL(grammar, root)).filter((name) => /(?<!\.test)\.ts$/.test(name));

  it("are listed for each file of grammar that has some", () => {
    const having = files.filter((name) => expressionsIn(name, new URL(grammar, root)).length > 0);

    expect(having.filter((name) => listedForAny[`${grammar}${name}`] === undefined)).toEqual([]);
  });

  it.each(Object.entries(listedForAny))("of %s are those that are listed", (name, own) => {
    expect(expressionsIn(name, root)).toEqual(own.map(({ expression }) => expression));
  });
});

function expressionsIn(name: string, base = folder): readonly string[] {
  const source = ts.createSourceFile(
    name,
    readFileSync(new URL(name, base), "utf8"),
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

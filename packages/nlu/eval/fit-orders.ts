import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitLinearModel } from "../src/fit.js";
import { findOrderLike, type OrderLike, orderLabel } from "../src/grammar/find-orders.js";
import { createLinearModel, type LinearModelData } from "../src/index.js";

/**
 * Fits whether a clause that begins with an act's verb orders it, to folders with meshes, their questions and `acts.jsonl` as
 * triage's eval has them, and scores each folder with a model of the others: `npm run fit-orders --workspace packages/nlu --
 * FOLDER... [--write] [--list]`.
 */
interface LibrarianCase {
  readonly id: string;
  readonly description: string;
  readonly examples?: readonly string[];
  readonly effects?: string;
  readonly acts?: readonly string[];
}

interface Example {
  readonly folder: string;
  readonly text: string;
  readonly isOrder: boolean;
  /** Clauses that may order: of an order, those of the librarian that it is for. */
  readonly clauses: readonly OrderLike[];
}

const args = process.argv.slice(2);
const folders = args.filter((one) => !one.startsWith("--"));
const thresholds = [0.5, 0.6, 0.65, 0.7, 0.8];
const options = { penalty: 0.002, minCount: 3, maxFeatures: 1_500, rounds: 300 };
const other = "other";

const examples = folders.flatMap((folder) => {
  const acts = readLines<{ mesh: string; q: string; kind: string; writer?: string }>(
    join(folder, "acts.jsonl"),
  );
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name, "mesh.json");
    if (!existsSync(path)) return [];
    const { mesh, librarians } = JSON.parse(readFileSync(path, "utf8")) as {
      mesh: string;
      librarians: readonly LibrarianCase[];
    };
    const writers = librarians.filter(({ effects }) => effects === "write");
    const toExample = (text: string, writer?: string): Example => ({
      folder,
      text,
      isOrder: writer !== undefined,
      clauses: writers
        .filter(({ id }) => writer === undefined || id === writer)
        .flatMap((each) => findOrderLike(text, each)),
    });
    const asked = readLines<{ q: string; to: readonly string[] }>(
      join(folder, name, "questions.jsonl"),
    ).filter(({ to }) => !writers.some(({ id }) => to.includes(id)));
    return [
      ...acts.filter((one) => one.mesh === mesh).map(({ q, writer }) => toExample(q, writer)),
      ...asked.map(({ q }) => toExample(q)),
    ];
  });
});

const scored = folders.flatMap((folder) => {
  const model = createLinearModel(fit(examples.filter((one) => one.folder !== folder)));
  return examples
    .filter((one) => one.folder === folder)
    .map((one) => {
      const chances = one.clauses.map(({ isPossible, signs }) => {
        const order = model.predict(signs).find(({ label }) => label === orderLabel);
        return isPossible ? (order?.probability ?? 0) : 0;
      });
      return { ...one, chance: Math.max(0, ...chances) };
    });
});
for (const threshold of thresholds) {
  const found = (isOrder: boolean) => {
    const own = scored.filter((one) => one.isOrder === isOrder);
    return `${own.filter(({ chance }) => chance >= threshold).length} of ${own.length}`;
  };
  console.log(`from ${threshold}: orders ${found(true)}, others ${found(false)}`);
}
if (args.includes("--list"))
  for (const { folder, text, isOrder, chance } of scored)
    if (isOrder ? chance < 0.5 : chance >= 0.5)
      console.log(isOrder ? "ORDER" : "other", chance.toFixed(2), folder.slice(-9), text);
if (args.includes("--write"))
  writeFileSync(new URL("../data/orders.json", import.meta.url), toText(fit(examples)));

/** As the formatter has it. */
function toText(model: LinearModelData): string {
  const toValue = (value: unknown) =>
    Array.isArray(value)
      ? `[${value.map((each) => JSON.stringify(each)).join(", ")}]`
      : JSON.stringify(value);
  const lines = Object.entries(model).map(([name, value]) => `  "${name}": ${toValue(value)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

function fit(all: readonly Example[]) {
  const cases = all.flatMap(({ clauses, isOrder }) => {
    // Of an order one clause orders: the longest that can.
    const possible = clauses.filter(({ isPossible }) => isPossible);
    const [longest] = (possible.length > 0 ? possible : clauses).toSorted(
      (a, b) => b.clause.text.length - a.clause.text.length,
    );
    const own = isOrder ? (longest === undefined ? [] : [longest]) : clauses;
    return own.map(({ signs }) => ({ features: signs, label: isOrder ? orderLabel : other }));
  });
  return fitLinearModel(cases, options);
}

function readLines<Line>(path: string): readonly Line[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Line);
}

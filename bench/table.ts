import { type Goal, goals, mediansOf, stretchGoals } from "./goals.js";
import type { Row } from "./measure.js";

const columns = ["bare", "plain", "lean", "moleculer", "constellation"];
const comparedWith = ["plain", "lean", "moleculer"];

/** A scenario's rows, with what it measures. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Every row with its medians, ratios and goals, as a Markdown table. */
export function markdownTable(sections: readonly Section[]): string {
  const header = [
    "scenario",
    "unit",
    ...columns,
    ...comparedWith.map((name) => `/ ${name}`),
    "other variants",
    "goal",
    "stretch",
  ];
  const alignment = header.map((name) =>
    ["scenario", "unit", "other variants", "goal", "stretch"].includes(name) ? "---" : "--:",
  );
  const lines = sections.flatMap(({ title, rows }) => rows.map((row) => cellsOf(title, row)));
  return [header, alignment, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf(title: string, row: Row): readonly string[] {
  const of = mediansOf(row);
  const others = Object.keys(row.samples).filter((name) => !columns.includes(name));
  const label = labelOf(row);
  return [
    label === undefined ? title : `${title}: ${label}`,
    row.unit,
    ...columns.map((name) => figure(of(name))),
    ...comparedWith.map((name) => ratio(of("constellation") / of(name))),
    others.map((name) => `${name} ${figure(of(name))}`).join("; "),
    verdicts(goals[row.name], row),
    verdicts(stretchGoals[row.name], row),
  ];
}

/** One row on one line, for the terminal. */
export function summaryLine(row: Row): string {
  const of = mediansOf(row);
  const figures = Object.keys(row.samples).map((name) => `${name} ${figure(of(name))}`);
  const verdict = verdicts(goals[row.name], row);
  const label = labelOf(row);
  const heading = label === undefined ? row.unit : `${label}, ${row.unit}`;
  return `  ${heading}: ${figures.join(" | ")}${verdict === "" ? "" : `   goal ${verdict}`}`;
}

/** What distinguishes a row from the others of its scenario. */
function labelOf({ name }: Row): string | undefined {
  const at = name.indexOf(": ");
  return at === -1 ? undefined : name.slice(at + 2);
}

function verdicts(list: readonly Goal[] | undefined, row: Row): string {
  const of = mediansOf(row);
  return (list ?? []).map(({ text, holds }) => `${text}: ${holds(of) ? "yes" : "no"}`).join("; ");
}

function figure(value: number): string {
  if (Number.isNaN(value)) return "";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return value === 0 ? "0" : Number(value.toPrecision(value >= 10 ? 3 : 2)).toString();
}

function ratio(value: number): string {
  return Number.isFinite(value) ? `${value.toFixed(2)}x` : "";
}

import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { CommandIO } from "../command-io.js";
import { type Paint, paintFor } from "./paint.js";

const minColumn = 5;
const gap = "  ";
/** Width of a table where the output is not a terminal, in cells. */
const plainWidth = 200;

/** Draws a table for the standard output: text of several lines, without a line break at its end. */
export function drawTable(
  rows: readonly (readonly string[])[],
  { stdout, env }: CommandIO,
): string {
  const width = stdout.isTTY === true ? (stdout.columns || 80) - 1 : plainWidth; // some terminals report 0
  return renderTable(rows, paintFor(stdout, env), width).join("\n");
}

/**
 * Draws a table in columns. Cells are wrapped where the table would be wider than the terminal.
 *
 * @param rows - Cells of each row, the head first.
 */
export function renderTable(
  rows: readonly (readonly string[])[],
  paint: Paint,
  cells: number,
): readonly string[] {
  const [head = [], ...body] = rows.map((row) =>
    row.map((text) => ({ text, width: countCells(text) })),
  );
  const widths = fitted(
    head.map(({ width }, column) =>
      body.reduce((widest, row) => Math.max(widest, row[column]?.width ?? 0), width),
    ),
    cells - gap.length * (head.length - 1),
  );
  const rule = paint("dim", widths.map((width) => "─".repeat(width)).join(gap));
  const boldHead = head.map(({ text, width }) => ({ text: paint("bold", text), width }));
  return [...renderRow(boldHead, widths), rule, ...body.flatMap((row) => renderRow(row, widths))];
}

interface Cell {
  readonly text: string;
  /** Cells that the text takes on a terminal. */
  readonly width: number;
}

/** Takes from the widest column until all fit; none is narrower than a short word. */
function fitted(widths: readonly number[], cells: number): readonly number[] {
  const fit = [...widths];
  for (let over = sum(fit) - cells; over > 0; over = sum(fit) - cells) {
    const widest = fit.indexOf(Math.max(...fit));
    const width = fit[widest] ?? 0;
    if (width <= minColumn) break;
    const next = Math.max(minColumn, ...fit.filter((_, column) => column !== widest));
    fit[widest] = Math.max(minColumn, Math.min(width - 1, Math.max(next, width - over)));
  }
  return fit;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function renderRow(row: readonly Cell[], widths: readonly number[]): readonly string[] {
  const columns = widths.map((width, column) => wrapCell(row[column] ?? emptyCell, width));
  const height = Math.max(1, ...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, column) => {
        const { text, width } = lines[line] ?? emptyCell;
        return text + " ".repeat(Math.max(0, (widths[column] ?? 0) - width));
      })
      .join(gap)
      .trimEnd(),
  );
}

const emptyCell: Cell = { text: "", width: 0 };

function wrapCell(cell: Cell, width: number): readonly Cell[] {
  if (cell.width <= width) return [cell];
  return wrapAnsi(cell.text, width, { hard: true })
    .split("\n")
    .map((text) => ({ text, width: countCells(text) }));
}

/** Most text is ASCII, whose width is its length; looking at each grapheme is slow. */
function countCells(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** Cells of a row by the names of their columns. */
export type Row = Readonly<Record<string, string>>;

/** A table as `kubectl get` prints it. */
export interface Table {
  /** Names of the columns, as printed: `LAST SEEN`, `READY`. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Maximum number of rows of one text. */
const maxRows = 50_000;
const header = /^(?:NAMESPACE|LAST SEEN|NAME) {2,}[A-Z]/;

/** The tables in a text: a header in capitals, and rows in its columns up to an empty line or the next header. */
export function tablesIn(text: string): readonly Table[] {
  const tables: { columns: { name: string; at: number }[]; rows: Record<string, string>[] }[] = [];
  let current: (typeof tables)[number] | undefined;
  let left = maxRows;
  for (const line of text.split("\n")) {
    if (header.test(line)) {
      current = { columns: findColumns(line), rows: [] };
      tables.push(current);
    } else if (line.trim() === "") current = undefined;
    else if (current !== undefined && left-- > 0) current.rows.push(readRow(line, current.columns));
  }
  return tables.map(({ columns, rows }) => ({ columns: columns.map(({ name }) => name), rows }));
}

function findColumns(line: string): { name: string; at: number }[] {
  return [...line.matchAll(/[^ ](?:[^ ]| (?! )){0,60}/g)].map((match) => ({
    name: match[0].trim(),
    at: match.index,
  }));
}

function readRow(
  line: string,
  columns: readonly { name: string; at: number }[],
): Record<string, string> {
  return Object.fromEntries(
    columns.map(({ name, at }, index) => [name, line.slice(at, columns[index + 1]?.at).trim()]),
  );
}

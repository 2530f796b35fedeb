import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterReader } from "../src/cluster/cluster-reader.js";
import { isRecord, listAt, recordAt, textAt } from "../src/cluster/fields.js";
import { createInMemoryReader } from "../src/cluster/in-memory-reader.js";

/** What a right answer to a case has. */
export interface ExpectedAnswer {
  /** Any of these is right; `null` for an answer without a finding. */
  readonly signalTypes: readonly (string | null)[];
  /** Each must be in the answer; of an inner list any one. */
  readonly mustMention: readonly (string | readonly string[])[];
  /** None may be given as a cause. */
  readonly mustNotMention: readonly string[];
  /** `namespace/Kind/name`: any one must be among the sources. Empty when the case names none. */
  readonly resources: readonly string[];
  /** The named thing does not exist: `NOT_FOUND`, with what must be mentioned as the nearest. */
  readonly notFound: boolean;
  /** A request to change or reveal something, which is refused first. */
  readonly readOnly: boolean;
}

/** A recorded or constructed state of a cluster, with a question about it. */
export interface ClusterCase {
  readonly id: string;
  readonly question: string;
  /** Class of failure, or of question, that it belongs to. */
  readonly group: string;
  readonly reader: ClusterReader;
  /** What the reader holds. */
  readonly objects: readonly unknown[];
  readonly logs: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly now: number | undefined;
  readonly expected: ExpectedAnswer;
}

/** Reads every case of the `.json` and `.jsonl` files in a folder, in the order of file names. */
export function loadCases(folder: string): readonly ClusterCase[] {
  return readdirSync(folder)
    .filter((file) => /\.jsonl?$/.test(file))
    .sort()
    .flatMap((file) => loadFile(join(folder, file)));
}

/** Reads a file: one case a line, a list of cases, or an object with such a list as `cases`. */
export function loadFile(path: string): readonly ClusterCase[] {
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".jsonl")) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const values = lines.map((line): unknown => JSON.parse(line)).filter(isRecord);
    // A state that several cases ask about stands on a line of its own.
    const states = new Map(values.map((value) => [textAt(value, "state"), value]));
    return values
      .filter((value) => "question" in value)
      .map((value) => readCase({ ...states.get(textAt(value, "of") ?? "\0"), ...value }));
  }
  const file: unknown = JSON.parse(text);
  const cases = Array.isArray(file) ? file : listAt(file, "cases");
  return cases.filter(isRecord).map(readCase);
}

/** @throws TypeError for a case without an id, a question or an expected answer. */
export function readCase(value: unknown): ClusterCase {
  const id = textAt(value, "id");
  const question = textAt(value, "question");
  const expected = recordAt(value, "expected");
  if (id === undefined || question === undefined || !("signalType" in expected)) {
    throw new TypeError(`case ${id ?? "without id"}: needs id, question and expected.signalType.`);
  }
  const asOf = Date.parse(textAt(value, "asOf") ?? "");
  const logs = Object.fromEntries(Object.entries(recordAt(value, "logs")).filter(isTextEntry));
  const objects = listAt(value, "objects");
  return {
    id,
    question,
    group: textAt(value, "class") ?? "mixed",
    // Recordings are parts of a cluster: what they do not hold may exist all the same.
    reader: createInMemoryReader({
      objects,
      logs,
      partial: true,
      name: `case ${id}`,
      ...(Number.isFinite(asOf) && { now: asOf }),
    }),
    objects,
    logs,
    now: Number.isFinite(asOf) ? asOf : undefined,
    expected: {
      signalTypes: oneOrMore(expected, "signalType").map((type) => (isText(type) ? type : null)),
      mustMention: listAt(expected, "mustMention").map(readMention),
      mustNotMention: listAt(expected, "mustNotMention").filter(isText),
      resources: oneOrMore(expected, "resource").filter(isText),
      notFound: expected.notFound === true,
      readOnly: expected.readOnly === true,
    },
  };
}

/** A field, and the list of alternatives that may be under its plural. */
function oneOrMore(expected: Readonly<Record<string, unknown>>, field: string): readonly unknown[] {
  return [...new Set([expected[field], ...listAt(expected, `${field}s`)])];
}

function readMention(value: unknown): string | readonly string[] {
  return Array.isArray(value) ? value.filter(isText) : String(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextEntry(entry: [string, unknown]): entry is [string, string] {
  return isText(entry[1]);
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterReader } from "../src/cluster/cluster-reader.js";
import { isRecord, listAt, recordAt, textAt } from "../src/cluster/fields.js";
import { createInMemoryReader } from "../src/cluster/in-memory-reader.js";

/** What a right answer to a case has. */
export interface ExpectedAnswer {
  readonly signalType: string;
  /** Each must be in the answer; of an inner list any one. */
  readonly mustMention: readonly (string | readonly string[])[];
  /** None may be given as a cause. */
  readonly mustNotMention: readonly string[];
  /** `namespace/Kind/name`, which must be among the sources. Absent when the case names none. */
  readonly resource?: string;
}

/** A recorded or constructed state of a cluster, with a question about it. */
export interface ClusterCase {
  readonly id: string;
  readonly question: string;
  readonly reader: ClusterReader;
  readonly expected: ExpectedAnswer;
}

/** Reads every case of the `.json` files in a folder, in the order of file names. */
export function loadCases(folder: string): readonly ClusterCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => casesIn(JSON.parse(readFileSync(join(folder, file), "utf8"))));
}

/** A file holds a list of cases, or an object with such a list as `cases`. */
function casesIn(file: unknown): readonly ClusterCase[] {
  const cases = Array.isArray(file) ? file : listAt(file, "cases");
  return cases.filter(isRecord).map(readCase);
}

/** @throws TypeError for a case without an id, a question or an expected signal type. */
export function readCase(value: unknown): ClusterCase {
  const id = textAt(value, "id");
  const question = textAt(value, "question");
  const signalType = textAt(value, "expected", "signalType");
  if (id === undefined || question === undefined || signalType === undefined) {
    throw new TypeError(`case ${id ?? "without id"}: needs id, question and expected.signalType.`);
  }
  const asOf = Date.parse(textAt(value, "asOf") ?? "");
  const resource = textAt(value, "expected", "resource");
  const logs = Object.entries(recordAt(value, "logs")).filter(isTextEntry);
  return {
    id,
    question,
    reader: createInMemoryReader({
      objects: listAt(value, "objects"),
      logs: Object.fromEntries(logs),
      name: `case ${id}`,
      ...(Number.isFinite(asOf) && { now: asOf }),
    }),
    expected: {
      signalType,
      mustMention: listAt(value, "expected", "mustMention").map(readMention),
      mustNotMention: listAt(value, "expected", "mustNotMention").filter(isText),
      ...(resource !== undefined && { resource }),
    },
  };
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

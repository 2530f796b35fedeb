/** Sets of cases that were written apart from the code: their states as snapshots, and what an answer to one got wrong. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Response } from "@constellation/core";
import type { ClusterReader } from "../src/cluster/cluster-reader.js";
import { isRecord, listAt, recordAt, textAt } from "../src/cluster/fields.js";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { openSnapshot } from "../src/snapshot/open-snapshot.js";

type Case = Readonly<Record<string, unknown>>;
type Ask = (question: string) => Promise<Response>;

/** A set, opened. */
export interface CaseSet {
  /** Cases of a file; none where that is not there. */
  load(name: string): readonly Case[];
  /** Asks the librarian of one state, which is written as a snapshot when it is asked first. */
  ask(id: string, question: string): Promise<Response>;
  close(): void;
}

const stateFiles = ["broken", "healthy", "unknowable", "secret-states"];

/** Opens the set in a folder. */
export function openSet(folder: string): CaseSet {
  const load = (name: string): readonly Case[] => {
    const file = join(folder, `${name}.jsonl`);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line): readonly Case[] => {
      const value: unknown = line.trim() === "" ? undefined : JSON.parse(line);
      return isRecord(value) ? [value] : [];
    });
  };
  const states = new Map(
    stateFiles.flatMap((name) => load(name).map((one) => [textAt(one, "id") ?? "", one] as const)),
  );
  const root = mkdtempSync(join(tmpdir(), "apart-"));
  const librarians = new Map<string, Ask>();
  const librarianOf = (id: string): Ask => {
    const known = librarians.get(id);
    if (known !== undefined) return known;
    const state = states.get(id);
    if (state === undefined) throw new RangeError(`no state ${id}`);
    const path = join(root, id);
    const write = (place: string, text: string) => {
      mkdirSync(dirname(join(path, place)), { recursive: true });
      writeFileSync(join(path, place), text);
    };
    const items = listAt(state, "objects");
    write("objects.json", JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    for (const [key, log] of Object.entries(recordAt(state, "logs")))
      write(`logs/${key.replace("#previous", ".previous")}.log`, String(log));
    let reader: Promise<ClusterReader> | undefined;
    const now = Date.parse(textAt(state, "asOf") ?? "");
    const librarian: Ask = async (question) => {
      reader ??= openSnapshot({ path, now, name: "the snapshot" });
      return createK8sLibrarian({ reader: await reader }).librarian(question);
    };
    librarians.set(id, librarian);
    return librarian;
  };
  return {
    load,
    ask: (id, question) => librarianOf(id)(question),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What one answer got wrong: empty for a right one. */
export interface Score {
  readonly id: string;
  readonly file: string;
  readonly wrong: readonly string[];
  readonly isFinding: boolean;
  readonly isHealthy: boolean;
  readonly confidence: number;
  /** Causes of a board that are listed, and all of them. */
  readonly board?: { readonly listed: number; readonly inFacts: number; readonly all: number };
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [];
const has = (text: string, word: string) => text.toLowerCase().includes(word.toLowerCase());

/** Of `mustMention` each, and of an inner list one. */
function lacking(expected: unknown, said: string): readonly string[] {
  return listAt(expected, "mustMention").flatMap((one) =>
    texts(one).some((word) => has(said, word)) ? [] : [`lacks ${texts(one).join(" | ")}`],
  );
}

/** Compares one answer with what its case expects. */
export function scoreOne(file: string, one: unknown, response: Response): Score {
  const expected = recordAt(one, "expected");
  const said = [response.answer, response.error?.message, response.error?.suggestion].join("\n");
  const facts = listAt(response.metadata, "facts").filter(isRecord);
  const [first] = facts;
  const signal = textAt(first, "signal_type");
  const isHealthy = signal === "Healthy";
  const isFinding = signal !== undefined && !isHealthy && first?.is_current !== false;
  const confidence = response.confidence ?? 0;
  const base = { id: textAt(one, "id") ?? "", file, isFinding, isHealthy, confidence };
  const forbidden = texts(expected.mustNotMention);
  // What must not be given as a cause may be named beside it.
  const stated = [signal, textAt(first, "error_message"), said.split("\n")[0]].join("\n");
  const asCause = forbidden.filter((word) => has(stated, word)).map((word) => `states ${word}`);
  const names = new Set(response.sources?.map(({ name }) => name));
  const wanted = [...texts(expected.resources), ...texts(expected.resource)];
  const isSourced = wanted.some((name) => names.has(name.replace(/^\//, "")));
  const source = wanted.length === 0 || isSourced ? [] : [`cites none of ${wanted[0]}`];
  if (Array.isArray(expected.board)) {
    const entries = listAt(expected, "board");
    const lines = said.split("\n");
    const found = entries.map((entry) => {
      const isIn = (text: string) =>
        texts(recordAt(entry).name).some((name) => has(text, name)) &&
        texts(recordAt(entry).any).some((word) => has(text, word));
      return {
        entry,
        line: lines.some(isIn),
        fact: facts.some((fact) => isIn(JSON.stringify(fact))),
      };
    });
    return {
      ...base,
      wrong: found.flatMap(({ entry, line, fact }) =>
        line
          ? []
          : [
              `${fact ? "only in facts" : "nowhere"}: ${textAt(entry, "resource")} ${textAt(entry, "cause")}`,
            ],
      ),
      board: {
        listed: found.filter(({ line }) => line).length,
        inFacts: found.filter(({ line, fact }) => line || fact).length,
        all: found.length,
      },
    };
  }
  if (file === "sre") {
    const isImpossible = expected.kind === "impossible";
    const shown = forbidden.filter((word) => has(said, word)).map((word) => `says ${word}`);
    const claim = isImpossible && (isFinding || isHealthy) ? [`claims ${signal}`] : [];
    return { ...base, wrong: [...lacking(expected, said), ...shown, ...claim] };
  }
  if (file === "secrets") {
    const shown = texts(expected.mustNotMention).filter((value) =>
      JSON.stringify(response).includes(value),
    );
    return {
      ...base,
      wrong: [...lacking(expected, said), ...shown.map((value) => `shows ${value}`)],
    };
  }
  if (expected.verdict === "healthy") {
    const broken = facts.filter(
      (fact) =>
        fact.signal_type !== "Healthy" &&
        fact.is_current !== false &&
        wanted.some((name) => name.endsWith(`/${textAt(fact, "resource_name")}`)),
    );
    return {
      ...base,
      wrong: [
        ...lacking(expected, said),
        ...asCause,
        ...broken.map(
          (fact) => `calls ${textAt(fact, "resource_name")} ${textAt(fact, "signal_type")}`,
        ),
      ],
    };
  }
  if (expected.verdict === "unknowable") {
    const claim = isHealthy ? ["says Healthy"] : [];
    return { ...base, wrong: [...lacking(expected, said), ...asCause, ...claim] };
  }
  return {
    ...base,
    wrong: [
      ...lacking(expected, said),
      ...asCause,
      ...source,
      ...(isHealthy ? ["says Healthy"] : []),
    ],
  };
}

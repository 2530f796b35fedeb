/**
 * Scores a folder of cases that were written apart from the code: each state is written as a snapshot, and the librarian
 * answers from that.
 *
 *     npm run eval:apart -w librarians/k8s -- FOLDER [--misses] [--only ID] [--print] [--answers]
 *
 * The folder holds `broken.jsonl` (one cause, or a board of several), `healthy.jsonl`, `unknowable.jsonl`, and what asks
 * about their states: `wordings.jsonl`, `sre.jsonl`, and `secrets.jsonl` with `secret-states.jsonl`. A file that is not
 * there is left out. `--misses` names what is wrong with each answer that is not right, `--print` prints the answers of
 * `--only`; neither is for a set that is held out. `--answers` prints a line for each answer that is judged, which
 * `fit-confidence` reads.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Response } from "@constellation/core";
import { chooseBasis, readAsking } from "../src/answer/confidence.js";
import type { ClusterReader } from "../src/cluster/cluster-reader.js";
import { isRecord, listAt, recordAt, textAt } from "../src/cluster/fields.js";
import { signalTypes } from "../src/diagnosis/signal-type.js";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { openSnapshot } from "../src/snapshot/open-snapshot.js";

const given = process.argv.slice(2);
const folder = resolve(process.env.INIT_CWD ?? process.cwd(), given[0] ?? ".");
const only = given.includes("--only") ? given[given.indexOf("--only") + 1] : undefined;

function load(name: string): readonly Readonly<Record<string, unknown>>[] {
  const file = join(folder, `${name}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line): readonly Readonly<Record<string, unknown>>[] => {
    const value: unknown = line.trim() === "" ? undefined : JSON.parse(line);
    return isRecord(value) ? [value] : [];
  });
}

const stateFiles = ["broken", "healthy", "unknowable", "secret-states"];
const states = new Map(
  stateFiles.flatMap((name) => load(name).map((one) => [textAt(one, "id") ?? "", one] as const)),
);
const root = mkdtempSync(join(tmpdir(), "apart-"));
type Ask = (question: string) => Promise<Response>;
const librarians = new Map<string, Ask>();

/** The librarian of one state, which is written as a snapshot when it is asked first. */
function librarianOf(id: string): Ask {
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
}

/** What one answer got wrong: empty for a right one. */
interface Score {
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

function scoreOne(file: string, one: unknown, response: Response): Score {
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

/** What an answer rests on, as `fit-confidence` reads it. */
function describeAnswer(
  query: string,
  { metadata, error, partial }: Response,
  { wrong, isHealthy }: Score,
) {
  const [first] = listAt(metadata, "facts");
  const signal = signalTypes.find((type) => type === textAt(first, "signal_type"));
  const kinds = listAt(first, "evidence").map((one) => {
    const source = textAt(one, "source") ?? "";
    return /\blogs?\b/.test(source) ? "log" : /\bEvent\b/i.test(source) ? "event" : "object";
  });
  const isLookup = isRecord(metadata) && "lookup" in metadata;
  const found = isLookup
    ? partial === true
      ? "partial"
      : "lookup"
    : isHealthy
      ? "healthy"
      : signal === undefined
        ? "unjudged"
        : chooseBasis(signal, new Set(kinds), recordAt(first).is_current !== false);
  return {
    set: basename(folder),
    right: wrong.length === 0,
    basis: error === undefined ? found : "error",
    asking: readAsking(query),
  };
}

const scores: Score[] = [];
try {
  for (const file of ["broken", "healthy", "unknowable", "wordings", "sre", "secrets"]) {
    for (const one of load(file)) {
      const id = textAt(one, "id") ?? "";
      if (only !== undefined && !id.startsWith(only)) continue;
      const response = await librarianOf(textAt(one, "state") ?? id)(textAt(one, "question") ?? "");
      const score = scoreOne(file, one, response);
      scores.push(score);
      if (given.includes("--answers") && score.board === undefined && file !== "secrets")
        console.log(JSON.stringify(describeAnswer(textAt(one, "question") ?? "", response, score)));
      if (given.includes("--print"))
        console.log(
          `\n# ${id}: ${textAt(one, "question")}\n${response.answer ?? JSON.stringify(response)}\n(${response.confidence})`,
        );
      if (given.includes("--misses") && score.wrong.length > 0)
        console.log(
          `- ${id} (${score.confidence}) ${textAt(one, "question")}: ${score.wrong.join("; ")}`,
        );
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
report();

function report(): void {
  const share = (
    some: readonly Score[],
    pick: (one: Score) => boolean = ({ wrong }) => wrong.length === 0,
  ) => `${some.filter(pick).length} of ${some.length}`;
  const of = (file: string) => scores.filter((one) => one.file === file);
  const single = of("broken").filter(({ board }) => board === undefined);
  const boards = of("broken").flatMap(({ board }) => board ?? []);
  const sum = (pick: (one: (typeof boards)[number]) => number) =>
    boards.reduce((total, one) => total + pick(one), 0);
  const judged = [
    ...single,
    ...of("healthy"),
    ...of("unknowable"),
    ...of("wordings"),
    ...of("sre"),
  ];
  console.log(`one outage, first cause right: ${share(single)}
wrong cause stated at .8 or more: ${share(single, ({ wrong, isFinding, confidence }) => wrong.length > 0 && isFinding && confidence >= 0.8)}
false Healthy: ${share(single, ({ isHealthy }) => isHealthy)}
healthy: ${share(of("healthy"))}; unknowable: ${share(of("unknowable"))}
wordings: ${share(of("wordings"))}
SRE questions: ${share(of("sre"))}
boards, causes listed: ${sum(({ listed }) => listed)} of ${sum(({ all }) => all)}, with those in the facts: ${sum(({ inFacts }) => inFacts)}
secrets: ${share(of("secrets"))}
expected calibration error: ${calibrationError(judged).toFixed(3)} over ${judged.length}`);
}

/** Mean distance of confidence and share right, over ten bins. */
function calibrationError(some: readonly Score[]): number {
  const bins = Array.from({ length: 10 }, (_, index) =>
    some.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === index),
  );
  const errors = bins.map((bin) => {
    const right = bin.filter(({ wrong }) => wrong.length === 0).length;
    return Math.abs(bin.reduce((sum, { confidence }) => sum + confidence, 0) - right);
  });
  return errors.reduce((sum, error) => sum + error, 0) / Math.max(1, some.length);
}

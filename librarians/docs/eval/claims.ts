/**
 * How well made-up names and numbers are found: statements of real documentation, some of them with
 * one token swapped for a plausible one, are validated as answers that cite their section.
 *
 *     node --conditions=@constellation/source --import tsx eval/claims.ts
 *     … --data DIR     another folder of the same layout
 *     … --json         one JSON document
 *     … --misses       the statements that were judged wrongly
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { KnowledgeBaseView } from "../src/navigator/knowledge-base-view.js";
import { validateNavigatorResponse } from "../src/navigator/validate-navigator-response.js";
import { readKnowledgeBases, retrievalData } from "./data-folder.js";

/** A statement about a section, true or with one token swapped. */
interface Claim {
  readonly kb: string;
  readonly text: string;
  readonly sources: readonly { readonly file: string; readonly section: string }[];
  readonly label: "clean" | "made-up";
  /** Kind of the token that was swapped. */
  readonly class?: string;
  readonly replaced?: string;
  /** Where a clean one is from: `verbatim` from the section, `paraphrase` a person's own words. */
  readonly kind?: string;
}

/** Share of a group of claims. */
export interface ClaimCount {
  readonly of: number;
  readonly flagged: number;
  /** 0 to 1; 0 where there are none. */
  readonly share: number;
}

/** What {@link evaluateClaims} found. */
export interface ClaimFigures {
  readonly "made-up tokens found": ClaimCount;
  readonly "verbatim sentences flagged": ClaimCount;
  readonly "human statements flagged": ClaimCount;
  /** Of the statements of people: with a warning that their sources do not support them. */
  readonly "human statements called weakly supported": ClaimCount;
  /** The same for statements that cite a section of another one's. */
  readonly "wrong citations called weakly supported": ClaimCount;
  readonly "found by kind": Readonly<Record<string, ClaimCount>>;
  /** Milliseconds for all of them, the first reading of the knowledge bases included. */
  readonly durationMs: number;
  readonly misses: readonly string[];
}

/** Makes the claims with the tool of the data folder, and validates each of them. */
export function evaluateClaims(folder: string): ClaimFigures {
  const knowledgeBases = readKnowledgeBases(folder);
  const claims = makeClaims(folder);
  const misses: string[] = [];
  const byKind = new Map<string, boolean[]>();
  const verbatim: boolean[] = [];
  const human: boolean[] = [];
  const weak: boolean[] = [];
  const strange: boolean[] = [];

  const started = performance.now();
  for (const [order, claim] of claims.entries()) {
    const knowledgeBase = knowledgeBases.get(claim.kb);
    if (knowledgeBase === undefined) continue;
    const { errors, warnings } = validate(claim, claim.sources, knowledgeBase);
    const flagged = errors.map(({ value }) => value);
    const tell = () =>
      misses.push(
        `${claim.class ?? claim.kind}: ${claim.text} [${claim.replaced ?? flagged.join(" | ")}]`,
      );
    if (claim.label === "made-up") {
      const { replaced = "", class: kind = "" } = claim;
      const isFound = flagged.some((text) => text.includes(replaced) || replaced.includes(text));
      byKind.set(kind, [...(byKind.get(kind) ?? []), isFound]);
      if (!isFound) tell();
      continue;
    }
    (claim.kind === "verbatim" ? verbatim : human).push(flagged.length > 0);
    if (flagged.length > 0) tell();
    if (claim.kind === "verbatim") continue;
    weak.push(warnings.some(({ rule }) => rule === "source-answer-alignment"));
    const other = claims[(order * 7 + 13) % claims.length];
    if (other?.kb !== claim.kb || other.sources[0]?.file === claim.sources[0]?.file) continue;
    strange.push(
      validate(claim, other.sources, knowledgeBase).warnings.some(
        ({ rule }) => rule === "source-answer-alignment",
      ),
    );
  }
  const durationMs = Math.round(performance.now() - started);

  return {
    "made-up tokens found": count([...byKind.values()].flat()),
    "verbatim sentences flagged": count(verbatim),
    "human statements flagged": count(human),
    "human statements called weakly supported": count(weak),
    "wrong citations called weakly supported": count(strange),
    "found by kind": Object.fromEntries([...byKind].map(([kind, found]) => [kind, count(found)])),
    durationMs,
    misses,
  };
}

function validate(claim: Claim, sources: Claim["sources"], knowledgeBase: KnowledgeBaseView) {
  const response = {
    answer: claim.text,
    sources: sources.map((source) => ({ ...source, relevance: "It is the section in question" })),
    confidence: "high",
    confidenceReason: "The cited section states this in so many words",
    outOfDomain: false,
  };
  const { errors, warnings } = validateNavigatorResponse(response, knowledgeBase);
  return { errors: errors.filter(({ rule }) => rule === "hallucination"), warnings };
}

function makeClaims(folder: string): readonly Claim[] {
  const tool = join(folder, "tools/make-claims.mjs");
  const lines = execFileSync(process.execPath, [tool, join(folder, "corpus")], {
    encoding: "utf8",
    maxBuffer: 256 * 1_024 * 1_024,
  });
  return lines
    .trim()
    .split("\n")
    .map((line): Claim => JSON.parse(line)); // the tool's own format
}

function count(flags: readonly boolean[]): ClaimCount {
  const flagged = flags.filter(Boolean).length;
  return { of: flags.length, flagged, share: flags.length === 0 ? 0 : flagged / flags.length };
}

/** One line for each figure. */
export function printClaims({ misses: _misses, durationMs, ...figures }: ClaimFigures): string {
  const { "found by kind": kinds, ...whole } = figures;
  const line = ([name, { flagged, of, share }]: [string, ClaimCount]) =>
    `${name.padEnd(42)} ${`${flagged}/${of}`.padStart(9)}  ${share.toFixed(3)}`;
  return [
    ...Object.entries(whole).map(line),
    ...Object.entries(kinds).map(([kind, found]) => line([`  ${kind}`, found])),
    `${"all of them, in ms".padEnd(42)} ${String(durationMs).padStart(9)}`,
  ].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      json: { type: "boolean" },
      misses: { type: "boolean" },
    },
  });
  const folder = retrievalData(values.data);
  if (folder === undefined) {
    console.log("claims: skipped, there is no data folder; name one with --data DIR");
  } else {
    const { misses, ...figures } = evaluateClaims(folder);
    if (values.json === true) console.log(JSON.stringify(figures, undefined, 2));
    else console.log(printClaims({ ...figures, misses }));
    if (values.misses === true) console.log(misses.join("\n"));
  }
}

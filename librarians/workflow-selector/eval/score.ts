import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createRouter, type Response } from "@constellation/core";
import {
  type ClusterReader,
  createInMemoryReader,
  createK8sLibrarian,
  openSnapshot,
} from "@constellation/librarian-k8s";
import { z } from "zod";
import type { Approval, WorkflowSelection } from "../src/index.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";

/*
 * Scores alerts with and without a cluster: `npm run score -w librarians/workflow-selector -- FOLDER`. The folder holds cases
 * in files `*.json` (one or a list) or `*.jsonl`; `--verbose` prints each case that is not as expected, `--all` the others too.
 */

const ids = z
  .array(z.string())
  .nullish()
  .transform((given) => given ?? []);
const wantedSchema = z.object({
  acceptable: ids,
  forbidden: ids,
  none: z.boolean().nullish(),
  /** By name; null: it must stay open. */
  parameters: z.record(z.string(), z.unknown()).nullish(),
  mustAsk: z.boolean().nullish(),
  /** Low risk, outside production, plain evidence: no person is to be asked. */
  lowRisk: z.boolean().nullish(),
});
const caseSchema = z.object({
  id: z.string(),
  /** Path of the catalog, from the folder. */
  catalog: z.string(),
  /** A payload as it arrives, or a sentence. */
  alert: z.unknown(),
  /** The cluster: path of a snapshot from the folder, or its objects and logs. */
  cluster: z.string().nullish(),
  objects: z.array(z.unknown()).nullish(),
  logs: z.record(z.string(), z.string()).nullish(),
  /** When the cluster was read; the newest moment in it where not given. */
  asOf: z.string().nullish(),
  /** The objects are a part of the cluster. */
  partial: z.boolean().nullish(),
  expect: wantedSchema.extend({
    /** One expectation for each object of a payload that is about several. */
    each: z.array(wantedSchema.extend({ object: z.string() })).nullish(),
  }),
});
type Case = z.infer<typeof caseSchema>;

interface Outcome {
  readonly id: string;
  readonly expect: z.infer<typeof wantedSchema>;
  readonly selected: string | undefined;
  readonly asks: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly why: string;
}

const [folder = ".", ...flags] = process.argv.slice(2);
const isVerbose = flags.includes("--verbose");
const cases = readCases(resolve(folder));
const withCluster = cases.filter(({ cluster, objects }) => (cluster ?? objects) != null);
report("with the cluster", await run(withCluster, openCluster));
report("from the alert alone", await run(cases, async () => undefined));

function readCases(root: string): readonly Case[] {
  const names = readdirSync(root).filter((name) => /\.jsonl?$/.test(name));
  return names.sort().flatMap((name): readonly Case[] => {
    const text = readFileSync(join(root, name), "utf8");
    const values: readonly unknown[] = name.endsWith(".jsonl")
      ? text.split("\n").flatMap((line): unknown => (line.trim() === "" ? [] : JSON.parse(line)))
      : listIn(JSON.parse(text));
    return values.map((value, at) => {
      const { data, error } = caseSchema.safeParse(value);
      if (data === undefined)
        throw new TypeError(`${name}, case ${at + 1}: ${z.prettifyError(error)}`);
      const path = (of: string) => join(root, of);
      const cluster = data.cluster == null ? undefined : path(data.cluster);
      return { ...data, catalog: path(data.catalog), cluster };
    });
  });
}

/** The cases of a file: one, a list, or the list under `cases`. */
function listIn(value: unknown): readonly unknown[] {
  const { data } = z.object({ cases: z.array(z.unknown()) }).safeParse(value);
  return data?.cases ?? [value].flat();
}

async function openCluster({ cluster, objects, logs, asOf, partial }: Case) {
  const now = asOf == null ? undefined : { now: Date.parse(asOf) };
  if (cluster != null) return openSnapshot({ path: cluster, ...now });
  return createInMemoryReader({
    objects: objects ?? [],
    logs: logs ?? {},
    partial: partial ?? false,
    ...now,
  });
}

async function run(
  all: readonly Case[],
  open: (one: Case) => Promise<ClusterReader | undefined>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const one of all) {
    const selector = createWorkflowSelectorLibrarian({ catalog: one.catalog });
    const router = createRouter({ entry: selector.id });
    router.register(selector);
    const reader = await open(one);
    if (reader !== undefined) router.register(createK8sLibrarian({ reader }));
    const { alert } = one;
    const query = typeof alert === "string" ? alert : JSON.stringify(alert);
    outcomes.push(...toOutcomes(one, await router.ask(query)));
    await router.close();
  }
  return outcomes;
}

/** One outcome, or one for each object that is expected. */
function toOutcomes({ id, expect }: Case, response: Response): readonly Outcome[] {
  if (expect.each == null) return [toOutcome(id, expect, response)];
  const results = z
    .array(z.looseObject({ object: z.string(), also: z.array(z.string()).default([]) }))
    .catch([])
    .parse(response.metadata?.results);
  const wanted = expect.each.map((one) => {
    const found = results.filter(({ object, also }) =>
      [object, ...also].some((name) => name.endsWith(one.object)),
    );
    if (found.length > 1) console.log(`  ! ${id}: ${one.object} has ${found.length} results`);
    return toOutcome(`${id} ${one.object}`, one, { metadata: found[0] ?? {} });
  });
  if (results.length > wanted.length)
    console.log(`  ! ${id}: ${results.length} results for ${wanted.length} objects`);
  return wanted;
}

function toOutcome(
  id: string,
  expect: Outcome["expect"],
  { metadata, error, answer }: Partial<Response>,
): Outcome {
  const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
  const approval = metadata?.approval as Approval | undefined;
  const [best, ...others] = selection?.strategies ?? [];
  return {
    id,
    expect,
    selected: best?.workflow_id,
    asks: approval === undefined || approval.humanReview || approval.approvalRequired,
    parameters: best?.parameters ?? {},
    why: [
      best === undefined
        ? `${error?.code}: ${answer ?? ""}`
        : `${best.workflow_id} ${best.confidence} ${JSON.stringify(best.parameters)}`,
      ...others.map(({ workflow_id, confidence }) => `${workflow_id} ${confidence}`),
      ...(approval?.reasons ?? []),
      ...(selection?.warnings ?? []),
      selection?.analysis_summary ?? "",
    ].join(" | "),
  };
}

function report(title: string, outcomes: readonly Outcome[]): void {
  const named = outcomes.filter(({ expect }) => expect.none !== true);
  const none = outcomes.filter(({ expect }) => expect.none === true);
  const isRight = ({ expect, selected }: Outcome) => expect.acceptable.includes(selected ?? "");
  const right = named.filter(isRight);
  const forbidden = outcomes.filter(({ expect, selected }) =>
    expect.forbidden.includes(selected ?? ""),
  );
  const proposed = outcomes.filter(({ selected }) => selected !== undefined);
  const wrong = proposed.filter((one) => !isRight(one));
  const unasked = wrong.filter(({ asks }) => !asks);
  const free = right.filter(({ expect }) => expect.lowRisk === true);
  const parameters = right.flatMap(({ expect, parameters: given }) =>
    expect.parameters == null ? [] : [toParameterCount(expect.parameters, given)],
  );
  // Of those without a proposal nothing can be run, so no one needs to be asked.
  const mustAsk = proposed.filter(({ expect }) => expect.mustAsk === true);
  const line = (what: string, part: readonly unknown[], whole: readonly unknown[]) => {
    const share =
      whole.length === 0 ? "" : ` (${((100 * part.length) / whole.length).toFixed(0)} %)`;
    console.log(`  ${what}: ${part.length} of ${whole.length}${share}`);
  };
  const asked = (of: readonly Outcome[]) => of.filter(({ asks }) => asks);
  console.log(title);
  line("right or acceptable", right, named);
  line("forbidden", forbidden, outcomes);
  line("wrong and no person asked", unasked, outcomes);
  const rightlyNone = none.filter(({ selected }) => selected === undefined);
  line("none, of those that name none", rightlyNone, none);
  line("a person asked, of the right ones of low risk", asked(free), free);
  line("a person asked, of the proposals that must", asked(mustAsk), mustAsk);
  line("a person asked, of all proposals", asked(proposed), proposed);
  const whole = parameters.filter((one) => one.isWhole);
  line("parameters wholly right, of the right ones", whole, parameters);
  const falseOnes = parameters.flatMap((one) => one.false);
  line("parameters with another value", falseOnes, parameters);
  if (!isVerbose) return;
  const isAsExpected = (one: Outcome) =>
    (one.expect.none === true ? one.selected === undefined : isRight(one)) &&
    !(one.expect.lowRisk === true && one.asks) &&
    !(one.expect.mustAsk === true && one.selected !== undefined && !one.asks) &&
    (one.expect.parameters == null ||
      toParameterCount(one.expect.parameters, one.parameters).isWhole);
  for (const one of outcomes) {
    if (isAsExpected(one) && !flags.includes("--all")) continue;
    const { id, expect, asks, why } = one;
    const mark = isAsExpected(one) ? "+" : "-";
    const notes = [
      ...(asks ? ["ASKED"] : []),
      ...(expect.lowRisk === true ? ["low risk"] : []),
      ...(forbidden.includes(one) ? ["FORBIDDEN"] : []),
    ].map((note) => ` ${note}`);
    console.log(
      `  ${mark} ${id}: expected ${expect.acceptable.join(" or ") || "none"}${notes.join("")}\n      ${why.replaceAll("\n", " ").slice(0, 1_500)}`,
    );
  }
}

function toParameterCount(
  wanted: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
) {
  const differing = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(given[name] ?? null) !== JSON.stringify(value),
  );
  return {
    isWhole: differing.length === 0,
    false: differing.filter(([name]) => (given[name] ?? null) !== null),
  };
}

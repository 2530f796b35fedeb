import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createRouter, type Response } from "@constellation/core";
import { createK8sLibrarian, openSnapshot } from "@constellation/librarian-k8s";
import { z } from "zod";
import type { Approval, WorkflowSelection } from "../src/index.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";

/*
 * Scores alerts with and without a cluster: `npm run score -w librarians/workflow-selector -- FOLDER`. The folder holds cases
 * in files `*.json` (one or a list) or `*.jsonl`; `--verbose` prints each case that is not as expected.
 */

const caseSchema = z.object({
  id: z.string(),
  /** Path of the catalog, from the folder. */
  catalog: z.string(),
  /** A payload as it arrives, or a sentence. */
  alert: z.unknown(),
  /** Path of a folder of `kubectl get -o json` files, from the folder. */
  cluster: z.string().nullish(),
  /** When the cluster was read; the newest moment in it where not given. */
  asOf: z.string().nullish(),
  expect: z.object({
    acceptable: z.array(z.string()).default([]),
    forbidden: z.array(z.string()).default([]),
    none: z.boolean().default(false),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    mustAsk: z.boolean().nullish(),
    environment: z.string().nullish(),
  }),
});
type Case = z.infer<typeof caseSchema>;

interface Outcome {
  readonly one: Case;
  readonly selected: string | undefined;
  readonly asks: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly why: string;
}

const [folder = ".", ...flags] = process.argv.slice(2);
const isVerbose = flags.includes("--verbose");
const cases = readCases(resolve(folder));
report("with the cluster", await run(cases));
report(
  "from the alert alone",
  await run(cases.map((one): Case => ({ ...one, cluster: undefined }))),
);

function readCases(root: string): readonly Case[] {
  const names = readdirSync(root).filter((name) => /\.jsonl?$/.test(name));
  return names
    .flatMap((name): readonly unknown[] => {
      const text = readFileSync(join(root, name), "utf8");
      if (!name.endsWith(".jsonl")) {
        const value = JSON.parse(text) as { readonly cases?: unknown };
        return [value.cases ?? value].flat();
      }
      return text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line) as unknown);
    })
    .flatMap((value) => {
      const { data } = caseSchema.safeParse(value); // a catalog may stand beside the cases
      return data === undefined
        ? []
        : [
            {
              ...data,
              catalog: join(root, data.catalog),
              cluster: data.cluster == null ? undefined : join(root, data.cluster),
            },
          ];
    });
}

async function run(all: readonly Case[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const one of all) {
    const selector = createWorkflowSelectorLibrarian({ catalog: one.catalog });
    const router = createRouter({ entry: selector.id });
    router.register(selector);
    if (one.cluster != null) {
      const now = one.asOf == null ? undefined : Date.parse(one.asOf);
      router.register(
        createK8sLibrarian({ reader: await openSnapshot({ path: one.cluster, now }) }),
      );
    }
    const { alert } = one;
    const query = typeof alert === "string" ? alert : JSON.stringify(alert);
    outcomes.push(toOutcome(one, await router.ask(query)));
    await router.close();
  }
  return outcomes;
}

function toOutcome(one: Case, { metadata, error, answer }: Response): Outcome {
  const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
  const approval = metadata?.approval as Approval | undefined;
  const [best, ...others] = selection?.strategies ?? [];
  return {
    one,
    selected: best?.workflow_id,
    asks: approval === undefined || approval.humanReview || approval.approvalRequired,
    parameters: best?.parameters ?? {},
    why: [
      best === undefined
        ? `${error?.code}: ${answer ?? ""}`
        : `${best.workflow_id} ${best.confidence}`,
      ...others.map(({ workflow_id, confidence }) => `${workflow_id} ${confidence}`),
      ...(approval?.reasons ?? []),
      ...(selection?.warnings ?? []),
    ].join(" | "),
  };
}

function report(title: string, outcomes: readonly Outcome[]): void {
  const named = outcomes.filter(({ one }) => !one.expect.none);
  const none = outcomes.filter(({ one }) => one.expect.none);
  const isRight = ({ one, selected }: Outcome) => one.expect.acceptable.includes(selected ?? "");
  const right = named.filter(isRight);
  const forbidden = outcomes.filter(({ one, selected }) =>
    one.expect.forbidden.includes(selected ?? ""),
  );
  const wrong = outcomes.filter((each) => each.selected !== undefined && !isRight(each));
  const unasked = wrong.filter(({ asks }) => !asks);
  const free = right.filter(
    ({ one: { expect } }) =>
      expect.mustAsk !== true && !/^(?:prod|$)/i.test(expect.environment ?? ""),
  );
  const parameters = right.flatMap(({ one, parameters: given }) =>
    one.expect.parameters == null ? [] : [toParameterCount(one.expect.parameters, given)],
  );
  const mustAsk = outcomes.filter(({ one }) => one.expect.mustAsk === true);
  const line = (what: string, count: number, of: number) =>
    console.log(
      `  ${what}: ${count} of ${of}${of === 0 ? "" : ` (${((100 * count) / of).toFixed(0)} %)`}`,
    );
  console.log(title);
  line("right or acceptable", right.length, named.length);
  line("forbidden", forbidden.length, outcomes.length);
  line("wrong and no person asked", unasked.length, outcomes.length);
  line(
    "none, of those that name none",
    none.filter(({ selected }) => selected === undefined).length,
    none.length,
  );
  line(
    "right, outside production, and a person asked",
    free.filter(({ asks }) => asks).length,
    free.length,
  );
  line(
    "a person asked, of those that must",
    mustAsk.filter(({ asks }) => asks).length,
    mustAsk.length,
  );
  line("a person asked", outcomes.filter(({ asks }) => asks).length, outcomes.length);
  line(
    "parameters wholly right, of the right ones",
    parameters.filter((one) => one.isWhole).length,
    parameters.length,
  );
  line(
    "parameters with another value",
    parameters.reduce((sum, one) => sum + one.false, 0),
    parameters.length,
  );
  if (!isVerbose) return;
  const shown = outcomes.filter((each) =>
    each.one.expect.none ? each.selected !== undefined : !isRight(each),
  );
  for (const { one, why, asks } of shown) {
    console.log(
      `  - ${one.id}: expected ${one.expect.acceptable.join(" or ") || "none"}${asks ? "" : " NOT ASKED"}\n      ${why.replaceAll("\n", " ").slice(0, 700)}`,
    );
  }
  for (const { one, why, asks } of flags.includes("--all")
    ? outcomes.filter((each) => !shown.includes(each))
    : []) {
    console.log(
      `  + ${one.id}${asks ? " ASKED" : ""}\n      ${why.replaceAll("\n", " ").slice(0, 700)}`,
    );
  }
}

function toParameterCount(
  wanted: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
) {
  const pairs = Object.entries(wanted);
  return {
    isWhole: pairs.every(([name, value]) => JSON.stringify(given[name]) === JSON.stringify(value)),
    false: pairs.filter(
      ([name, value]) =>
        Object.hasOwn(given, name) && JSON.stringify(given[name]) !== JSON.stringify(value),
    ).length,
  };
}

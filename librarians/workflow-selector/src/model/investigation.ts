import { redactSecrets, sanitizeText } from "@constellation/authoring";
import type { AITool, Context, Delegate } from "@constellation/core";
import { remainingMs } from "@constellation/core";
import { z } from "zod";
import { sortFacts } from "../incident/observed-facts.js";
import { asLine, observationsIn } from "../incident/untrusted.js";
import { readObservations } from "./observations.js";

/** What a tool gave, as the model read it. */
export interface ToolResult {
  /** `R1`, `R2`, ... in the order of the calls. */
  readonly id: string;
  readonly tool: string;
  readonly question: string;
  /** What the librarian that was asked answered; blank where it failed. */
  readonly text: string;
  /** Those that were observed. */
  readonly facts: readonly unknown[];
}

/** Tools that read, each asking a librarian of the mesh. */
export interface Investigation {
  readonly tools: readonly AITool[];
  /** What was read so far, in the order of the calls. */
  results(): readonly ToolResult[];
}

/** Maximum number of questions of one investigation. */
export const maxSteps = 6;
/** Maximum number of characters of a question, and of one result. */
const maxQuestionLength = 500;
const maxResultLength = 6_000;
/** Share of the remaining time that one question may take. */
const timeShare = 0.25;

/** Tools by what a librarian must be able to do. */
const kinds: readonly (readonly [name: string, capability: string, what: string])[] = [
  ["read_cluster", "kubernetes.facts", "objects, events and logs of the cluster"],
  ["read_metrics", "metrics.facts", "metrics and firing alerts"],
  ["read_logs", "logs.facts", "logs"],
  ["read_docs", "docs", "runbooks and documentation"],
];

/**
 * Offers a tool for each kind of librarian that only reads and is available. Each call is a hop of the run:
 * in its trace and its record, within its time and its budget.
 *
 * @returns Undefined where no such librarian is available.
 */
export function createInvestigation(context: Context): Investigation | undefined {
  const { ask, availableDelegates = [] } = context;
  if (ask === undefined) return undefined;
  const results: ToolResult[] = [];
  let asked = 0;

  const toolFor = (name: string, what: string, { id: to }: Delegate): AITool => ({
    name,
    description: `Answers a question in words from ${what}. Reads only. At most ${maxSteps} questions in all.`,
    input: z.object({ question: z.string().trim().min(1).max(maxQuestionLength) }),
    async run(input) {
      if (asked >= maxSteps)
        return `No questions are left (${maxSteps}). Reply with what is known.`;
      const id = `R${++asked}`;
      const { question } = input as { readonly question: string }; // the schema's output
      const timeoutMs = remainingMs(context, { share: timeShare });
      const response = await ask(asLine(question, maxQuestionLength), {
        to,
        context: { wants: "facts", reason: `the model's investigation, ${id}` },
        ...(Number.isFinite(timeoutMs) && { timeoutMs: Math.max(1, timeoutMs) }),
      });
      const { observed: facts } = sortFacts(response.metadata?.facts, context);
      const answer = observationsIn(
        redactSecrets(sanitizeText(response.answer ?? ""), { maxLength: 4_000 }),
      );
      // A paragraph each: what a claim follows from is compared with one of them.
      const text = [answer, ...readObservations(facts)].join("\n\n").slice(0, maxResultLength);
      results.push({ id, tool: name, question, text, facts });
      return JSON.stringify({
        result: id,
        text: text === "" ? describeFailure(response.error?.code) : text,
      });
    },
  });

  const tools = kinds.flatMap(([name, capability, what]) => {
    const delegate = availableDelegates.find((each) => reads(each, capability));
    return delegate === undefined ? [] : [toolFor(name, what, delegate)];
  });
  return tools.length === 0 ? undefined : { tools, results: () => results };
}

function describeFailure(code: string | undefined): string {
  return code === undefined ? "nothing was found" : `nothing was found (${code})`;
}

function reads({ effects, capabilities = [] }: Delegate, wanted: string): boolean {
  if (effects === "write") return false;
  return capabilities.some((one) => one === wanted || one.startsWith(`${wanted}.`));
}

import {
  fitSections,
  generateChecked,
  promptFence,
  promptFenceNotice,
} from "@constellation/authoring";
import type { Context } from "@constellation/core";
import { z } from "zod";
import type { Statement } from "./statements.js";

/** The outcome of asking the model, as it is recorded in the evidence. */
export interface ModelReport {
  /** `used`: its first reply. `repaired`: its second one. `not-used`: neither. */
  readonly outcome: "used" | "repaired" | "not-used";
  /** Why it was not used: a code of `errorCodes`, `no-time`, `no-passages` or `violations`. */
  readonly reason?: string;
  /** What was wrong with the last reply. */
  readonly violations?: readonly string[];
}

/** The sentences that a model chose, the most telling first, and the name of the model. */
export interface ChosenStatements {
  readonly statements: readonly Statement[];
  readonly model: string;
}

/** Maximum number of sentences that a model is given, and that it may choose. */
const maxGiven = 60;
const maxChosen = 12;

const choiceSchema = z.strictObject({
  sentences: z
    .array(z.number().int().min(1).max(maxGiven))
    .max(maxChosen)
    .describe("Numbers of the sentences that answer the question, the most telling first"),
});

/** The instructions of the prompt. */
const system = `You choose sentences for an advisory on property markets. An advisory informs and never decides.

Rules:
- Give the numbers of the sentences that say most about the question, the most telling first, at most ${maxChosen}.
- Choose facts about the place and the kind of property that the question names. Give an empty list where none is.
- Write no text. Only the numbers of your reply are read.

${promptFenceNotice}`;

/**
 * Has the model of a context choose which sentences of the sources an advisory quotes besides the weightiest. It writes nothing that a
 * reader sees, so that nothing it says has to be checked against the sources.
 *
 * @throws MeshError `TIMEOUT` when the caller no longer waits. Any other failure of the model is in the
 *   report.
 */
export async function chooseStatements(
  query: string,
  quotable: readonly Statement[],
  { ai, ...context }: Context,
  signal: AbortSignal,
): Promise<{ readonly report: ModelReport; readonly chosen?: ChosenStatements }> {
  if (ai === undefined || quotable.length === 0) return notUsed("no-passages", []);
  const request = {
    system,
    schema: choiceSchema,
    name: "advisory_sentences",
    promptId: "advisory.sentences",
    signal,
  };
  const given = fitSections(quotable.slice(0, maxGiven), ({ text }) => text, {
    ai,
    request,
    besides: [query],
  });
  const generated = await generateChecked<z.infer<typeof choiceSchema>, readonly Statement[]>(
    ai,
    { ...request, prompt: createPrompt(query, given) },
    {
      context,
      check({ sentences }) {
        const unknown = sentences.filter((number) => given[number - 1] === undefined);
        return unknown.length === 0
          ? { value: [...new Set(sentences)].flatMap((number) => given[number - 1] ?? []) }
          : { problems: [`There is no sentence ${unknown.join(", ")}.`] };
      },
    },
  );
  if (generated.outcome === "failed") {
    const { reason, problems } = generated;
    return notUsed(reason === "invalid-reply" ? "violations" : reason, problems);
  }
  const { value: statements, attempts, completion } = generated;
  return {
    report: { outcome: attempts === 1 ? "used" : "repaired" },
    chosen: { statements, model: completion?.model ?? "unknown" },
  };
}

/** The question and the sentences, fenced as data. */
function createPrompt(query: string, given: readonly Statement[]): string {
  return promptFence([
    { name: "question", text: query },
    ...given.map(({ text, source, chunk: { metadata } }, at) => {
      const { date, city } = metadata;
      return { name: `sentence ${at + 1} ${JSON.stringify({ source, date, city })}`, text };
    }),
  ]);
}

function notUsed(reason: string, problems: readonly string[]): { readonly report: ModelReport } {
  return {
    report: {
      outcome: "not-used",
      reason,
      ...(problems.length > 0 && { violations: problems.slice(0, 10) }),
    },
  };
}

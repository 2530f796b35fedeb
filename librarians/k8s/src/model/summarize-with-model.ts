import {
  type CheckedReply,
  fitSections,
  followsEnough,
  generateChecked,
} from "@constellation/authoring";
import type { Context, Response } from "@constellation/core";
import { type GroundedText, groundText, readPassages } from "@constellation/nlu";
import { z } from "zod";
import { rawTags } from "../answer/markdown.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Evidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { type SignalType, signalTypes } from "../diagnosis/signal-type.js";
import { createPrompt, system } from "./prompt.js";

/** Minimum remaining time for a call, in milliseconds. */
const minTimeoutMs = 500;
/** Share of what remains that a call may take: a runbook is asked after it, and its model wants time too. */
const timeShare = 0.5;
const maxAnswer = 4_000;

/** The model's output. */
const replySchema = z.object({
  summary: z.string().min(1).max(1_500),
  signalTypes: z
    .array(z.enum(signalTypes as unknown as [SignalType, ...SignalType[]]))
    .min(1)
    .max(signalTypes.length), // the same list, as zod wants it
  citations: z.array(z.string().max(500)).min(1).max(40),
});

/** The model's input. */
export interface ModelQuestion {
  readonly question: string;
  readonly findings: readonly Finding[];
  readonly context: Context;
  readonly signal: AbortSignal;
}

/**
 * Has the model of a context summarize the findings. Its summary is above the answer when it cites
 * only evidence that exists and names only signals that were found, with one chance to correct it;
 * else the answer stays as it is, and `metadata.model` says why. Not called for a caller that wants
 * facts alone (`context.metadata.wants` is `facts`).
 *
 * @throws MeshError `TIMEOUT` when the caller does not wait any more.
 */
export async function summarizeWithModel(
  response: Response,
  { question, findings, context, signal }: ModelQuestion,
): Promise<Response> {
  const { ai } = context;
  if (ai === undefined || response.answer === undefined) return response;
  if (context.metadata?.wants === "facts") return response;
  const request = {
    system,
    schema: replySchema,
    name: "cluster_summary",
    promptId: "k8s.summary",
    signal,
  };
  const all = fitSections(findings.slice(0, 6).flatMap(withAllSymptoms), toFindingText, {
    ai,
    request,
    besides: [question],
  });
  if (all.length === 0) return report(response, "not-used", "no-room");
  const evidence = new Map<string, Evidence>(
    all.flatMap((one) => one.evidence.slice(0, 8)).map((item) => [item.id, item]),
  );
  const prompt = createPrompt({ question, findings: all, evidence: [...evidence.values()] });
  const answer = response.answer;
  const generated = await generateChecked(
    ai,
    { ...request, prompt },
    {
      context,
      timeShare,
      minTimeoutMs,
      check: (reply) => checkReply(reply, { findings: all, evidence, answer }),
    },
  );
  if (generated.outcome === "failed")
    return report(response, "not-used", generated.reason, generated.problems);
  const { summary, ungrounded } = generated.value;
  const whole = `${summary}\n\n${answer}`;
  if (whole.length > maxAnswer) return report(response, "not-used", "too-long");
  const used = report(
    { ...response, answer: whole },
    generated.attempts === 1 ? "used" : "repaired",
  );
  if (ungrounded.length === 0) return used;
  const model = { ...(used.metadata?.model as object), ungrounded: ungrounded.slice(0, 10) }; // of report
  return { ...used, metadata: { ...used.metadata, model } };
}

/** What a finding and its evidence add to a prompt. */
function toFindingText({ summary, evidence }: Finding): string {
  return [summary, ...evidence.slice(0, 8).map(({ id, text }) => `${id} ${text}`)].join("\n");
}

/** What a summary may rest on. */
interface Ground {
  readonly findings: readonly Finding[];
  /** By id. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** The answer without the model. */
  readonly answer: string;
}

interface CheckedSummary {
  readonly summary: string;
  /** Sentences that do not follow from the findings: left out, or with the findings' words in their place. */
  readonly ungrounded: GroundedText["ungrounded"];
}

/** The summary with what it cites, or what is wrong with it. */
function checkReply(
  { summary, signalTypes: named, citations }: z.infer<typeof replySchema>,
  { findings, evidence, answer }: Ground,
): CheckedReply<CheckedSummary> {
  const found = new Set(findings.map((one) => one.signal));
  const words = new Set<string>(summary.match(/\w+/g));
  const spoken = signalTypes.filter((type) => words.has(type));
  const problems = [
    ...citations.filter((id) => !evidence.has(id)).map((id) => `No evidence has the id ${id}.`),
    ...[...new Set([...named, ...spoken])]
      .filter((type) => !found.has(type))
      .map((type) => `No finding has the signal type ${type}.`),
    ...(rawTags(summary) ? ["The summary holds HTML."] : []),
  ];
  if (problems.length > 0) return { problems };
  // Findings are no instructions: none of them is a warning that belongs to a step.
  const grounded = groundText(summary.trim(), toPassages(findings, answer), {
    allows: ["warning"],
  });
  // The answer itself is there: a summary of which much is wrong is not worth mending.
  if (grounded.kept === 0 || !followsEnough(grounded))
    return {
      problems: grounded.ungrounded.map(
        ({ sentence, why }) => `No finding says this (${why.join(", ")}): ${sentence}`,
      ),
    };
  const cited = [...new Set(citations)].map((id) => `\`${id}\``).join(", ");
  return {
    value: {
      summary: `${grounded.text}\n\nEvidence: ${cited}`,
      ungrounded: grounded.ungrounded,
    },
  };
}

/** What a summary may say: the findings with their evidence, and the answer. */
function toPassages(findings: readonly Finding[], answer: string) {
  return readPassages([
    ...findings.map((one) => ({
      id: toObjectId(one.object),
      text: [one.signal, toObjectId(one.object), toFindingText(one)].join("\n\n"),
    })),
    { id: "answer", text: answer },
  ]);
}

function report(
  response: Response,
  outcome: "used" | "repaired" | "not-used",
  reason?: string,
  problems: readonly string[] = [],
): Response {
  const model = {
    outcome,
    ...(reason !== undefined && { reason }),
    ...(problems.length > 0 && { problems: problems.slice(0, 10).map((one) => one.slice(0, 200)) }),
  };
  return { ...response, metadata: { ...response.metadata, model } };
}

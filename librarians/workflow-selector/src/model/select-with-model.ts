import { redactSecrets } from "@constellation/authoring";
import { type AIClient, type AIMessage, type Context, MeshError } from "@constellation/core";
import type { Gathered } from "../incident/gather.js";
import { asLine } from "../incident/untrusted.js";
import { parseReply } from "../reply/parse-reply.js";
import type { ProvidedWorkflow, ReplyIssue, WorkflowSelection } from "../reply/selection.js";
import { analysisInstructions, investigationInstructions } from "./analysis-instructions.js";
import { type Answered, askUntilValid, ModelFailed, type Step } from "./ask-until-valid.js";
import type { Offer } from "./catalog-tools.js";
import { contradictsObservations, groundRootCause, hasContent } from "./check-root-cause.js";
import { incidentPrompt } from "./incident-prompt.js";
import { createInvestigation, maxSteps, type ToolResult } from "./investigation.js";
import { toPromptFacts } from "./prompt-facts.js";
import { type RootCause, readRootCause } from "./root-cause.js";
import { populationPrompt, selectionInstructions, selectionPrompt } from "./selection-prompt.js";

/** A conversation with a model: first the root cause, then a workflow. */
export interface Conversation {
  /** Its time bounds every call. */
  readonly context: Context;
  /** Ends every call. */
  readonly signal: AbortSignal;
  readonly ai: AIClient;
  /** Calls that remain for this incident. */
  readonly calls: { left: number };
  /** Called for every reply that is not valid: what the model was to do, and all that is wrong. */
  readonly onInvalid: (step: ModelStep, issues: readonly ReplyIssue[], attempt: number) => void;
}

/** What a model is asked for, in this order. */
export type ModelStep = "analysis" | "selection" | "parameters";

/** The root cause, and the turns that led to it. */
export interface Analysis {
  readonly rootCause: RootCause;
  readonly turns: readonly AIMessage[];
  readonly attempts: number;
  /** What the model read before it concluded. */
  readonly results: readonly ToolResult[];
}

/** What a model selected from an offer. */
export interface ModelSelection {
  readonly selection: WorkflowSelection;
  /** Replies it took, by step. */
  readonly attempts: Readonly<Partial<Record<ModelStep, number>>>;
}

/** Calls for the root cause: one, and one repair. */
const maxAnalysisCalls = 2;
/** Maximum number of replies of the model in the step that may use tools. */
const maxTurns = 6;
/** Maximum number of characters of a reply that is shown to the model again. */
const maxReplyLength = 20_000;

/**
 * Asks for the root cause, from the observed facts and, where librarians that read are available, from what the model asks
 * them. No workflow is known yet. A root cause that contradicts what was observed is not taken.
 */
export async function analyse(gathered: Gathered, conversation: Conversation): Promise<Analysis> {
  const text = incidentPrompt(toPromptFacts(gathered));
  const turns: readonly AIMessage[] = [{ role: "user", text }];
  const investigation = createInvestigation(conversation.context);
  let isContradiction = false;
  let isEmpty = false;
  const read: Step<RootCause>["read"] = (reply) => {
    const found = readRootCause(reply);
    isContradiction = false;
    if ("issues" in found) return found;
    isEmpty = !hasContent(found.value, gathered.incident);
    if (isEmpty) {
      const message = "expected what causes it, and not only that it fails";
      return { issues: [{ path: "root_cause_analysis.summary", message }] };
    }
    const results = investigation?.results() ?? [];
    const grounded = groundRootCause(found.value, {
      results,
      given: text,
      canRead: investigation !== undefined,
    });
    if ("issues" in grounded) return grounded;
    isContradiction = contradictsObservations(found.value, gathered, results);
    if (!isContradiction) return grounded;
    const { observedSignal = "" } = gathered.incident;
    const message = `${asLine(observedSignal)} was observed, and nothing shows another cause`;
    return { issues: [{ path: "signal_type", message }] };
  };
  try {
    const { value, reply, attempts } = await converse(conversation, "analysis", {
      turns,
      system: `${analysisInstructions}${investigation === undefined ? "" : investigationInstructions}`,
      share: 0.5,
      maxCalls: maxAnalysisCalls,
      read,
      ...(investigation !== undefined && { tools: investigation.tools, maxTurns: maxSteps + 2 }),
    });
    return {
      rootCause: value,
      turns: [...turns, { role: "assistant", text: shown(reply) }],
      attempts,
      results: investigation?.results() ?? [],
    };
  } catch (thrown) {
    // What was observed leads to a proposal without a model.
    if (thrown instanceof ModelFailed || MeshError.copyOf(thrown)?.code !== "INTERNAL_ERROR")
      throw thrown;
    if (isContradiction) throw new ModelFailed("contradicts-observations");
    if (isEmpty) throw new ModelFailed("no-cause");
    if (investigation !== undefined) throw new ModelFailed("invalid-reply");
    throw thrown;
  }
}

/** Has a workflow selected from an offer, and its parameters filled in. */
export async function selectFrom(
  offer: Offer,
  { query, turns }: { readonly query: string; readonly turns: readonly AIMessage[] },
  conversation: Conversation,
): Promise<ModelSelection> {
  const asked: readonly AIMessage[] = [
    ...turns,
    { role: "user", text: selectionPrompt(query, offer.first) },
  ];
  const chosen = await converse(conversation, "selection", {
    turns: asked,
    share: 2 / 3,
    system: selectionInstructions,
    tools: offer.tools,
    maxTurns,
    draftText: ["strategies", "rationale"],
    read: (reply) => readChoice(reply, offer.provided()),
  });
  const { value: choice, attempts } = chosen;
  if ("selection" in choice)
    return { selection: choice.selection, attempts: { selection: attempts } };
  if (conversation.calls.left < 1) {
    return {
      selection: withOpenParameters(chosen.reply, choice),
      attempts: { selection: attempts },
    };
  }
  const populated = await populate(choice, { asked, reply: chosen.reply }, conversation);
  return {
    selection: populated.value,
    attempts: { selection: attempts, parameters: populated.attempts },
  };
}

/** A choice whose parameters are still to be filled in. */
interface OpenChoice {
  /** Without parameters. */
  readonly choice: WorkflowSelection;
  readonly chosen: readonly ProvidedWorkflow[];
  readonly issues: readonly ReplyIssue[];
}

function populate(
  { chosen, issues }: OpenChoice,
  { asked, reply }: { readonly asked: readonly AIMessage[]; readonly reply: string },
  conversation: Conversation,
): Promise<Answered<WorkflowSelection>> {
  return converse(conversation, "parameters", {
    turns: [
      ...asked,
      { role: "assistant", text: shown(reply) },
      { role: "user", text: populationPrompt(chosen, issues) },
    ],
    share: 1,
    read: (text) => {
      const { selection, issues: wrong } = parseReply(text, chosen);
      return selection === undefined ? { issues: wrong } : { value: selection };
    },
    system: selectionInstructions,
  });
}

/** A whole selection; a choice whose parameters are still to be filled in; or what is wrong with it. */
function readChoice(
  reply: string,
  provided: readonly ProvidedWorkflow[],
):
  | { readonly value: { readonly selection: WorkflowSelection } | OpenChoice }
  | { readonly issues: readonly ReplyIssue[] } {
  const { selection, issues } = parseReply(reply, provided);
  if (selection !== undefined) return { value: { selection } };
  const isOpen = issues.every(({ path }) => /^strategies\.\d+\.parameters\./.test(path));
  const named = provided.map(({ workflow_id, version }) => ({ workflow_id, version }));
  const choice = isOpen ? parseReply(reply, named).selection : undefined;
  if (choice === undefined) return { issues };
  const chosen = provided.filter((one) =>
    choice.strategies.some(
      ({ workflow_id, version }) => one.workflow_id === workflow_id && one.version === version,
    ),
  );
  return { value: { choice, chosen, issues } };
}

/** A choice with those of its parameters that are valid: the others stay open. */
function withOpenParameters(reply: string, { choice, chosen }: OpenChoice): WorkflowSelection {
  let provided = chosen;
  for (;;) {
    const { selection, issues } = parseReply(reply, provided);
    if (selection !== undefined) return selection;
    const wrong = new Set(issues.map(({ path }) => path.split(".").at(-1) ?? ""));
    const fewer = provided.map((one) => ({
      ...one,
      parameters: one.parameters?.filter(({ name }) => !wrong.has(name)),
    }));
    const hasFewer = fewer.some(
      ({ parameters }, at) => parameters?.length !== provided[at]?.parameters?.length,
    );
    if (!hasFewer) return choice;
    provided = fewer;
  }
}

function converse<Value>(
  { ai, context, signal, calls, onInvalid }: Conversation,
  name: ModelStep,
  step: Omit<Step<Value>, "onInvalid" | "promptId">,
): Promise<Answered<Value>> {
  return askUntilValid(
    ai,
    {
      ...step,
      promptId: `workflow.${name}`,
      onInvalid: (issues, attempt) => onInvalid(name, issues, attempt),
    },
    { context, signal, calls },
  );
}

/** A reply as a turn of the conversation: without secrets, bounded. */
function shown(reply: string): string {
  return redactSecrets(reply, { maxLength: maxReplyLength });
}

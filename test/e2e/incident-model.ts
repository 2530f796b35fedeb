import type { ModelAnswer, RecordedRequest } from "@constellation/models/testing";

/** What a librarian of the incident mesh asks a model for. */
export type RequestKind =
  | "triage-analysis"
  | "triage-decision"
  | "cluster-summary"
  | "navigator"
  | "root-cause"
  | "selection"
  | "parameters"
  | "advisory";

/** The kind of a request, by the first words of its instructions. */
const kinds: readonly (readonly [string, RequestKind])[] = [
  ["You analyse a question", "triage-analysis"],
  ["You decide which librarians", "triage-decision"],
  ["You summarize in plain words what was found", "cluster-summary"],
  ["You answer questions from the documentation", "navigator"],
  ["You find the root cause", "root-cause"],
  ["You choose which workflow", "selection"],
  ["You choose sentences for an advisory", "advisory"],
];

/** What a request is for. */
export function kindOf({ body }: RecordedRequest): RequestKind {
  const system = textOf(body.system);
  const kind = kinds.find(([words]) => system.startsWith(words))?.[1];
  if (kind === undefined) throw new Error(`Unknown request: ${system.slice(0, 80)}`);
  const isFilling = turnsOf(body.messages).at(-1)?.startsWith("Fill in the parameters") === true;
  return kind === "selection" && isFilling ? "parameters" : kind;
}

/** Answers by kind of request, in place of those of {@link modelWith}. */
export type Answers = Readonly<
  Partial<Record<RequestKind, (prompt: string, request: RecordedRequest) => ModelAnswer>>
>;

/**
 * A cooperative model, which uses what it is given alone: it chooses cluster and workflows for what
 * crashes, quotes the first section that it is given, and takes the first workflow of the list.
 */
export function modelWith(answers: Answers = {}): (request: RecordedRequest) => ModelAnswer {
  return (request) => {
    const kind = kindOf(request);
    const prompt = turnsOf(request.body.messages).at(-1) ?? "";
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    return { usage, ...(answers[kind] ?? sensible[kind])(prompt, request) };
  };
}

const sensible: Readonly<Record<RequestKind, (prompt: string) => ModelAnswer>> = {
  "triage-analysis": (prompt) => ({
    value: {
      intent: "Why something fails, and what helps.",
      domains: ["cluster"],
      complexity: "moderate",
      isMultiDomain: targetsFor(prompt).length > 1,
      urgency: "high",
      suggestedLibrarians: targetsFor(prompt),
      keywords: ["checkout"],
      analysisConfidence: 0.9,
    },
  }),
  "triage-decision": (prompt) => {
    const targets = targetsFor(prompt);
    return {
      value: {
        strategy: targets.length > 1 ? "multiple" : "single",
        targets,
        refinedQueries: [],
        reasoning: "Each of them knows a part of it.",
        expectedImprovement: 0.5,
      },
    };
  },
  "cluster-summary": (prompt) => {
    const [, signal = "", on = ""] = /^- (\w+) \([^)]*\) on (\S+):/m.exec(prompt) ?? [];
    const [, evidence = ""] = /^\[(\S+)\]/m.exec(prompt) ?? [];
    return {
      value: {
        summary: `In short: ${on} is failing because of ${signal}.`,
        signalTypes: [signal],
        citations: [evidence],
      },
    };
  },
  navigator: (prompt) => {
    const [given = { file: "", section: "", text: "" }] = sectionsOf(prompt);
    const { file, section, text } = given;
    return {
      value: {
        answer: `As the runbook has it (${file}, ${section}):\n\n${text}`,
        sources: [{ file, section, relevance: "It is about this." }],
        confidence: "high",
        confidenceReason: "One section that answers it directly.",
        relatedTopics: [],
        outOfDomain: false,
      },
    };
  },
  "root-cause": (prompt) => {
    const signal = /Signal Type: (\S+)/.exec(prompt)?.[1] ?? "Unknown";
    const owner = /\bowner ([^;\s]+)/.exec(prompt)?.[1];
    const resource = owner ?? /- Resource: (\S+)/.exec(prompt)?.[1] ?? "";
    return {
      value: {
        root_cause_analysis: {
          summary: `The model finds that ${signal} is the root cause.`,
          severity: "high",
          contributing_factors: [],
        },
        signal_type: signal,
        target_resource: resource,
        component: "deployment",
      },
    };
  },
  selection: (prompt) => ({ value: selectionOf(firstWorkflow(prompt), {}) }),
  parameters: (prompt) => {
    const [, workflow_id = "", version = ""] =
      /Parameters for (\S+) \(([^)]+)\)/.exec(prompt) ?? [];
    return {
      value: selectionOf(
        { workflow_id, version },
        { CONTAINER: "web", CURRENT_MEMORY_LIMIT: "512Mi", MEMORY_FACTOR: 2 },
      ),
    };
  },
  advisory: () => ({ value: { sentences: [1] } }),
};

/** One strategy, sure enough that no person must look, were it up to the model. */
export function selectionOf(
  workflow: { readonly workflow_id: string; readonly version: string },
  parameters: Readonly<Record<string, unknown>>,
): object {
  return {
    analysis_summary: "The model read what was observed.",
    root_cause_assessment: "The model finds one cause.",
    strategies: [
      {
        ...workflow,
        confidence: 0.75,
        rationale: "The model says that it addresses the cause.",
        estimated_risk: "low",
        parameters,
      },
    ],
    warnings: [],
    context_used: {
      cluster_state: "as observed",
      resource_availability: "not known",
      blast_radius: "one deployment",
    },
  };
}

/** The workflow that the list it was given begins with. */
function firstWorkflow(prompt: string): { workflow_id: string; version: string } {
  const [, workflow_id = ""] = /"workflow_id": "([^"]+)"/.exec(prompt) ?? [];
  const [, version = ""] = /"version": "([^"]+)"/.exec(prompt) ?? [];
  return { workflow_id, version };
}

/** Whom a question goes to. */
function targetsFor(prompt: string): readonly string[] {
  const question = /^=+ question\n([\s\S]*?)\n=+$/m.exec(prompt)?.[1] ?? "";
  if (/\bfair\b|yields/.test(question)) return ["rag-advisory"];
  if (/^How do I|^Who/.test(question)) return ["docs"];
  return /\brun\b|\bfix\b/.test(question) ? ["k8s", "workflow-selector"] : ["k8s"];
}

/** The sections that the navigator's prompt holds. */
function sectionsOf(prompt: string) {
  return [...prompt.matchAll(/^(=+) section (\{.*\})\n([\s\S]*?)\n\1$/gm)].map(
    ([, , name = "{}", text = ""]) => ({
      ...(JSON.parse(name) as { file: string; section: string }), // as the prompt has it
      text: text.replace(/^#+ .*\n+/, "").trim(),
    }),
  );
}

function turnsOf(messages: unknown): readonly string[] {
  return Array.isArray(messages) ? messages.map(({ content }) => textOf(content)) : [];
}

/** Text alone, or blocks of text. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((block) => String(block.text ?? "")).join("\n") : "";
}

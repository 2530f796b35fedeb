/**
 * `npm run reference`: writes `docs/reference` from the code, apart from `cli.md`, which the command
 * makes of itself, and the sentences about options that the schema of mesh files has. A test holds the files to what
 * this makes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { attributes, errorCodes, errorReasons, spanEvents } from "@constellation/core";
import { definitionTable, type OptionTable, routerTable } from "@constellation/core/checks";
import { delegationTable } from "../packages/core/src/contract/context.js";
import { askTable } from "../packages/core/src/router/ask-options.js";
import { createSourceReader, type SourceReader } from "./interface-members.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const eventsFile = "packages/core/src/events/events.ts";
const attributesFile = "packages/core/src/tracing/attributes.ts";
const spanEventsFile = "packages/core/src/tracing/span-events.ts";

type OptionInterface = readonly [heading: string, file: string, name: string, table?: OptionTable];

const { retry, breaker, hedge, cache } = definitionTable;
const resilienceFile = "packages/core/src/contract/resilience.ts";

/** Interfaces whose members are options, with the table of those that have one. */
export const optionInterfaces: readonly OptionInterface[] = [
  [
    "`createRouter(options)`",
    "packages/core/src/router/run/router-options.ts",
    "RouterOptions",
    routerTable,
  ],
  [
    "`router.ask(query, options)`",
    "packages/core/src/router/ask-options.ts",
    "AskOptions",
    askTable,
  ],
  [
    "`router.register(definition)`",
    "packages/core/src/contract/definition.ts",
    "LibrarianDefinition",
    definitionTable,
  ],
  ["`retry`", resilienceFile, "RetryOptions", retry.fields],
  ["`breaker`", resilienceFile, "BreakerOptions", breaker.fields],
  ["`hedge`", resilienceFile, "HedgeOptions", hedge.fields],
  ["`cache`", resilienceFile, "CacheOptions", cache.fields],
  ["`budget`", "packages/core/src/contract/ai-client.ts", "Budget", routerTable.budget.fields],
  [
    "`context.ask(query, options)`",
    "packages/core/src/contract/context.ts",
    "DelegationOptions",
    delegationTable,
  ],
  ["`createDocsLibrarian(options)`", "librarians/docs/src/options.ts", "DocsLibrarianOptions"],
  ["`createK8sLibrarian(options)`", "librarians/k8s/src/options.ts", "K8sLibrarianOptions"],
  [
    "`createWorkflowSelectorLibrarian(options)`",
    "librarians/workflow-selector/src/options.ts",
    "WorkflowSelectorOptions",
  ],
  [
    "`createTriageLibrarian(options)`",
    "librarians/triage/src/options.ts",
    "TriageLibrarianOptions",
  ],
  [
    "`createAnthropicClient(options)`",
    "packages/models/src/anthropic/options.ts",
    "AnthropicClientOptions",
  ],
  [
    "`createOpenAICompatibleClient(options)`",
    "packages/models/src/openai/options.ts",
    "OpenAICompatibleClientOptions",
  ],
  [
    "`createRagAdvisoryLibrarian(options)`",
    "librarians/rag-advisory/src/options.ts",
    "RagAdvisoryLibrarianOptions",
  ],
  ["`startTelemetry(options)`", "packages/telemetry/src/options.ts", "TelemetryOptions"],
  ["`createServer(router, options)`", "packages/server/src/options.ts", "ServerOptions"],
  ["`createMcpServer(router, options)`", "packages/mcp/src/server/options.ts", "McpServerOptions"],
  ["`createMcpHandler(router, options)`", "packages/mcp/src/http/options.ts", "McpHandlerOptions"],
  ["`createMcpLibrarian(options)`", "packages/mcp/src/librarian/options.ts", "McpLibrarianOptions"],
  ["`createNatsTransport(options)`", "packages/nats/src/options.ts", "NatsTransportOptions"],
  [
    "`createModelClient(model, options)`",
    "packages/models/src/provider/options.ts",
    "ModelClientOptions",
  ],
  ["`createClient(options)`", "packages/client/src/send.ts", "ClientOptions"],
  ["`asTool(router, options)`", "packages/agents/src/as-tool.ts", "MeshToolOptions"],
  ["`createRestateJournal(options)`", "packages/restate/src/settings.ts", "RestateJournalOptions"],
  [
    "`createA2AHandler(router, options)`",
    "packages/a2a/src/server/options.ts",
    "A2AHandlerOptions",
  ],
  ["`createA2ALibrarian(options)`", "packages/a2a/src/librarian/options.ts", "A2ALibrarianOptions"],
];

/** Interfaces whose options a mesh file can hold. */
const fileInterfaces = {
  router: "RouterOptions",
  librarian: "LibrarianDefinition",
  budget: "Budget",
};

/** Every file that is made here, by its path from the root. */
export function referencePages(): Readonly<Record<string, string>> {
  const files = optionInterfaces.map(([, file]) => file);
  const reader = createSourceReader([
    ...new Set([...files, eventsFile, attributesFile, spanEventsFile]),
  ]);
  return {
    "packages/cli/src/mesh/option-texts.ts": optionTexts(reader),
    "docs/reference/options.md": optionsPage(reader),
    "docs/reference/errors.md": errorsPage(),
    "docs/reference/events.md": eventsPage(reader),
    "docs/reference/spans.md": spansPage(reader),
  };
}

/** What the comments of options begin with, for editors of mesh files. */
function optionTexts(reader: SourceReader): string {
  const groups = Object.entries(fileInterfaces).map(([group, wanted]) => {
    const [, file, name, options = {}] =
      optionInterfaces.find(([, , each]) => each === wanted) ?? [];
    if (file === undefined || name === undefined) throw new Error(`${wanted} is not listed.`);
    const lines = reader.membersOf(file, name).flatMap(({ name: key, text, preset }) => {
      const { kind = "function", isInCode, ...option } = options[key] ?? {};
      if (isInCode === true || codeKinds.has(kind)) return [];
      const [, first = ""] = /^(.*?)[.:;](?: |$)/.exec(text) ?? [];
      const sentences = text.split(". ").filter((each) => each.startsWith("Default: "));
      if (preset !== undefined && !("default" in option)) sentences.push(`Default: ${preset}`);
      const shown = [first, ...sentences].map((each) => `${each.replace(/\.$/, "")}.`).join(" ");
      const line = `    ${key}: ${JSON.stringify(shown)},`;
      return line.length > 100 ? line.replace(": ", ":\n      ") : line;
    });
    return `  ${group}: {\n${lines.join("\n")}\n  },`;
  });
  return `// Made by \`npm run reference\` from the comments of core: what options are, for editors of mesh files.\nexport const optionTexts = {\n${groups.join("\n")}\n} as const;\n`;
}

/** Kinds of option that no file can hold. */
const codeKinds: ReadonlySet<string> = new Set(["function", "object", "checked"]);

function optionsPage(reader: SourceReader): string {
  const sections = optionInterfaces.flatMap(([heading, file, name]) => [
    `## ${heading}`,
    table(
      ["Option", "Type", "Default", ""],
      reader
        .membersOf(file, name)
        .map(({ name: key, type, isOptional, preset, text }) => [
          code(key),
          code(type),
          isOptional ? (preset === undefined ? "" : presetCell(preset)) : "needed",
          text,
        ]),
    ),
  ]);
  return page("Options", [
    "A wrong option throws `TypeError` (wrong type, unknown key) or `RangeError` (wrong value) at once, naming the key and the value. Times are in milliseconds.",
    ...sections,
  ]);
}

function errorsPage(): string {
  return page("Errors", [
    "`ask` never rejects: failures are in `error` of its response. `code` is one of these, a closed list. `suggestion` says what to do next.",
    table(
      ["Code", "Meaning", "HTTP", "Asking again may help", "Fixed by", "Suggestion"],
      Object.entries(errorCodes).map(([key, row]) => [
        code(key),
        row.meaning,
        String(row.httpStatus),
        row.retryable ? "yes" : "no",
        row.fixedBy,
        row.suggestion,
      ]),
    ),
    "## Reasons",
    "`details.reason` is one of these, where one fits: a second closed list.",
    table(
      ["Reason", "Under", "Meaning"],
      Object.entries(errorReasons).map(([key, { codes, meaning }]) => [
        code(key),
        codes.map(code).join(", "),
        meaning,
      ]),
    ),
  ]);
}

function eventsPage(reader: SourceReader): string {
  const fields = reader.fieldsOf(eventsFile, "MeshEvents");
  const sections = reader.membersOf(eventsFile, "MeshEvents").flatMap(({ name, text }) => [
    `## ${code(name)}`,
    text,
    table(
      ["Field", "Type", ""],
      (fields.get(name) ?? []).map((field) => [
        code(field.isOptional ? `${field.name}?` : field.name),
        code(field.type),
        field.text,
      ]),
    ),
  ]);
  return page("Events", [
    "`router.on(name, listener)` receives the events of every run, `run.events` those of one run, as objects with `type`. Here in the order in which they occur. Exceptions thrown by listeners are caught.",
    ...sections,
  ]);
}

function spansPage(reader: SourceReader): string {
  const comments = new Map(
    reader.entriesOf(attributesFile, "attributes").map(({ name, text }) => [name, text]),
  );
  const events = new Map(
    reader.entriesOf(spanEventsFile, "spanEvents").map(({ name, text }) => [name, text]),
  );
  return page("Spans", [
    "One run is one trace. Names and attributes of models and agents are OpenTelemetry's (semantic conventions for generative AI, 1.42.0, in development); `librarian.*` are Constellation's.",
    table(
      ["Span", "Kind", "Is"],
      [
        [code("invoke_workflow {name}"), "INTERNAL", "a run; `{name}` is the router's"],
        [code("invoke_agent {id}"), "INTERNAL", "a hop, below the hop that delegated or asked"],
        [code("merge {strategy}"), "INTERNAL", "the merge of a fan-out"],
        [code("retrieval {id}"), "CLIENT", "a search of a librarian's pages or chunks"],
        [code("execute_tool {tool}"), "INTERNAL", "a read of a cluster or of Prometheus"],
        [code("plan {id}"), "INTERNAL", "a proposal of the workflow selector"],
        [code("chat {model}"), "CLIENT", "one call of a model, over all retries"],
        [code("anthropic.messages.create"), "CLIENT", "the same, as Anthropic's SDK traces it"],
        [
          `${code("call {id}")}, ${code("tools/call {tool}")}, ${code("SendMessage")}`,
          "CLIENT",
          "a call to another process: over a transport, MCP, A2A",
        ],
        [
          `${code("serve {id}")}, ${code("tools/call {tool}")}, ${code("SendMessage")}, ${code("POST /ask")}`,
          "SERVER",
          "the same call there; the run of that process is below it",
        ],
      ],
    ),
    "A hop that failed has status Error; one that handled the failure of another has not. A merge links to each response it used. The span of a hop ends when its delegates have responded.",
    "## Events",
    table(
      ["Event", ""],
      Object.entries(spanEvents).map(([key, name]) => [code(name), events.get(key) ?? ""]),
    ),
    "## Attributes",
    table(
      ["Attribute", ""],
      Object.entries(attributes).map(([key, name]) => [code(name), comments.get(key) ?? ""]),
    ),
  ]);
}

function page(title: string, parts: readonly string[]): string {
  const note = "<!-- Made by `npm run reference` from the code: change it there. -->";
  return `${[`# ${title}`, note, ...parts].join("\n\n")}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A bar would end a cell, within code too. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A value stands as code, a sentence as it is. */
function presetCell(text: string): string {
  return /^\S+$/.test(text) && !text.startsWith("`") ? code(text) : text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}docs/reference`, { recursive: true });
  for (const [path, text] of Object.entries(referencePages())) writeFileSync(root + path, text);
}

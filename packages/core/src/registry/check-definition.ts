import type { LibrarianDefinition, LibrarianServices } from "../contract/definition.js";
import { checkOptions, idForm, isId, wrong } from "../contract/option-checks.js";
import type { OptionTable } from "../contract/option-table.js";
import { cacheOption, hedgeOption, resilienceTable } from "../contract/resilience.js";
import { isRecord } from "../contract/unknown-value.js";

const capabilityForm = {
  pattern: /^[a-z0-9.-]{1,128}$/,
  expected: '1 to 128 of a-z, 0-9, "." and "-"',
};

const actForm = {
  pattern: /^\p{L}[\p{L}\p{N}' -]{0,63}$/u,
  expected: "a verb, maybe with what it is done to, of 1 to 64 letters",
};

/** The options `services` of a definition. */
const servicesTable = {
  tools: { kind: "checked", check: checkTools },
  routes: { kind: "checked", check: checkRoutes },
} as const satisfies OptionTable<LibrarianServices>;

const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
const routePath = /^(?:\/[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,63}){1,8}$/;

/** The options of {@link LibrarianDefinition}. */
export const definitionTable = {
  id: {
    kind: "text",
    form: idForm,
    isRequired: true,
    description: "Id of the librarian.",
  },
  name: { kind: "text", description: "For people." },
  description: {
    kind: "text",
    isRequired: true,
    description: "What it can answer. Other librarians find it by this.",
  },
  librarian: { kind: "function", isRequired: true },
  team: { kind: "text", description: "Who owns it." },
  capabilities: {
    kind: "texts",
    form: capabilityForm,
    description: "What it can do, hierarchical: `docs.network`.",
  },
  examples: { kind: "texts", description: "Questions it answers well." },
  delegatesTo: {
    kind: "texts",
    form: idForm,
    description: "Ids it may delegate to. Default: any; empty: none.",
  },
  effects: {
    kind: "choice",
    values: ["read", "write"],
    description: "Whether a call changes anything outside. Default: read.",
  },
  acts: {
    kind: "texts",
    form: actForm,
    description:
      "What it does where it writes, as an order begins: `cancel order`. Routing calls it for such orders only.",
  },
  idempotent: {
    kind: "flag",
    default: false,
    description: "Whether a call with effects may be repeated with the same idempotency key.",
  },
  version: { kind: "text", description: "Version of its code, for runs that continue." },
  timeoutMs: {
    kind: "duration",
    default: Number.POSITIVE_INFINITY,
    description: "Maximum duration of one call, in milliseconds.",
  },
  concurrency: {
    kind: "count",
    default: Number.POSITIVE_INFINITY,
    description: "Maximum number of its calls at once, in all runs.",
  },
  ...resilienceTable,
  hedge: hedgeOption,
  adaptiveConcurrency: {
    kind: "flag",
    default: false,
    description: "Fewer calls at once while it answers RATE_LIMITED.",
  },
  cache: cacheOption,
  fallback: {
    kind: "texts",
    form: idForm,
    description: "Librarians that are asked instead when it fails, in this order.",
  },
  allow: {
    kind: "fields",
    fields: { users: { kind: "texts" }, teams: { kind: "texts" }, roles: { kind: "texts" } },
    or: "function",
    // A rule that cannot be read must not let anyone in.
    expected: "a function of the user, or { users, teams, roles }",
    isFilled: true,
    description: "Who may ask it: one match is enough. Default: everyone.",
  },
  canAnswer: { kind: "function" },
  services: {
    kind: "fields",
    fields: servicesTable,
    expected: "tools and routes",
    isInCode: true,
  },
  start: { kind: "function" },
  close: { kind: "function" },
  health: { kind: "function" },
} as const satisfies OptionTable<LibrarianDefinition>;

/**
 * Checks a definition from outside.
 *
 * @returns A copy, so that later changes to the caller's object change nothing.
 * @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value.
 */
export function checkDefinition(definition: unknown): LibrarianDefinition {
  const isNamed = isRecord(definition) && isId(definition.id);
  const prefix = isNamed ? `librarian "${String(definition.id)}": ` : "";
  return checkOptions<LibrarianDefinition>("definition", definition, definitionTable, prefix);
}

function checkTools(at: string, tools: unknown): unknown {
  if (!Array.isArray(tools)) throw new TypeError(wrong(at, "an array of tools", tools));
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name, description, input, run } = isRecord(tool) ? tool : {};
    if (typeof name !== "string" || !toolName.test(name)) {
      const expected = '1 to 64 of a-z, A-Z, 0-9, "_" and "-"';
      throw new RangeError(wrong(`${at}[${index}].name`, expected, name));
    }
    if (names.has(name)) throw new RangeError(`${at}[${index}].name: ${name} is given twice.`);
    names.add(name);
    if (typeof description !== "string" || !isRecord(input) || typeof run !== "function") {
      throw new TypeError(`${at}[${index}]: expected description, input and run.`);
    }
  }
  return tools;
}

function checkRoutes(at: string, routes: unknown): unknown {
  if (!isRecord(routes)) throw new TypeError(wrong(at, "functions by path", routes));
  for (const [path, make] of Object.entries(routes)) {
    if (!routePath.test(path)) {
      throw new RangeError(wrong(at, "a path such as /workflows", path));
    }
    if (typeof make !== "function") {
      throw new TypeError(wrong(`${at}["${path}"]`, "a function", make));
    }
  }
  return routes;
}

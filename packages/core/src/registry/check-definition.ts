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
  id: { kind: "text", form: idForm, isRequired: true },
  name: { kind: "text" },
  description: { kind: "text", isRequired: true },
  librarian: { kind: "function", isRequired: true },
  team: { kind: "text" },
  capabilities: { kind: "texts", form: capabilityForm },
  examples: { kind: "texts" },
  vocabulary: { kind: "texts" },
  delegatesTo: { kind: "texts", form: idForm },
  effects: { kind: "choice", values: ["read", "write"] },
  acts: { kind: "texts", form: actForm },
  idempotent: { kind: "flag", default: false },
  version: { kind: "text" },
  timeoutMs: { kind: "duration", default: Number.POSITIVE_INFINITY },
  concurrency: { kind: "count", default: Number.POSITIVE_INFINITY },
  ...resilienceTable,
  hedge: hedgeOption,
  adaptiveConcurrency: { kind: "flag", default: false },
  cache: cacheOption,
  fallback: { kind: "texts", form: idForm },
  allow: {
    kind: "fields",
    fields: { users: { kind: "texts" }, teams: { kind: "texts" }, roles: { kind: "texts" } },
    or: "function",
    // An invalid rule must not allow anyone.
    expected: "a function of the user, or { users, teams, roles }",
    isFilled: true,
  },
  canAnswer: { kind: "function" },
  services: { kind: "fields", fields: servicesTable, expected: "tools and routes", isInCode: true },
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

import type { AllowList } from "../contract/allow.js";
import type { LibrarianDefinition } from "../contract/definition.js";
import { refuseUnknownKeys, requireCount, requireDuration } from "../contract/option-checks.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";
import {
  requireBreaker,
  requireCache,
  requireFlag,
  requireHedge,
  requireRetry,
} from "./check-resilience.js";
import { requireServices } from "./check-services.js";

const keys: ReadonlySet<string> = new Set<keyof LibrarianDefinition>([
  "id",
  "description",
  "librarian",
  "name",
  "team",
  "capabilities",
  "examples",
  "delegatesTo",
  "effects",
  "timeoutMs",
  "allow",
  "concurrency",
  "adaptiveConcurrency",
  "retry",
  "breaker",
  "hedge",
  "fallback",
  "singleFlight",
  "cache",
  "services",
  "start",
  "close",
  "health",
]);

const idForm = /^[a-z0-9-]{1,64}$/;
/** Whether text could be the id of a librarian. */
export function isId(text: string): boolean {
  return idForm.test(text);
}

const capabilityForm = /^[a-z0-9.-]{1,128}$/;

/**
 * Checks a definition from outside.
 *
 * @returns A copy, so that later changes to the caller's object change nothing.
 * @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value.
 */
export function checkDefinition(definition: unknown): LibrarianDefinition {
  if (!isRecord(definition)) {
    throw new TypeError(`definition: expected an object, got ${describeValue(definition)}.`);
  }
  refuseUnknownKeys("definition", definition, keys);
  const { id, description, librarian, name, team, capabilities, examples, delegatesTo } =
    definition;
  if (typeof id !== "string") throw new TypeError(`id: expected text, got ${describeValue(id)}.`);
  if (!idForm.test(id)) {
    throw new RangeError(
      `id: expected 1 to 64 of a-z, 0-9 and "-", got ${JSON.stringify(id.slice(0, 80))}.`,
    );
  }
  const at = `librarian "${id}"`;
  if (typeof description !== "string" || description.trim() === "") {
    throw new TypeError(`${at}: description: expected text, got ${describeValue(description)}.`);
  }
  if (typeof librarian !== "function") {
    throw new TypeError(`${at}: librarian: expected a function, got ${describeValue(librarian)}.`);
  }
  for (const [key, value] of Object.entries({ name, team })) {
    if (value !== undefined && (typeof value !== "string" || value.trim() === "")) {
      throw new TypeError(`${at}: ${key}: expected text, got ${describeValue(value)}.`);
    }
  }
  requireTexts(at, "capabilities", capabilities, capabilityForm);
  requireTexts(at, "examples", examples);
  requireTexts(at, "delegatesTo", delegatesTo, idForm);
  const { effects, timeoutMs } = definition;
  if (effects !== undefined && effects !== "read" && effects !== "write") {
    throw new RangeError(
      `${at}: effects: expected "read" or "write", got ${describeValue(effects)}.`,
    );
  }
  requireDuration(`${at}: timeoutMs`, timeoutMs);
  requireAllow(at, definition.allow);
  requireCount(`${at}: concurrency`, definition.concurrency, 1);
  requireFlag(`${at}: adaptiveConcurrency`, definition.adaptiveConcurrency);
  requireRetry(`${at}: retry`, definition.retry);
  requireBreaker(`${at}: breaker`, definition.breaker);
  requireHedge(`${at}: hedge`, definition.hedge);
  requireTexts(at, "fallback", definition.fallback, idForm);
  requireFlag(`${at}: singleFlight`, definition.singleFlight);
  requireCache(`${at}: cache`, definition.cache);
  requireServices(`${at}: services`, definition.services);
  for (const key of ["start", "close", "health"]) {
    const value = definition[key];
    if (value !== undefined && typeof value !== "function") {
      throw new TypeError(`${at}: ${key}: expected a function, got ${describeValue(value)}.`);
    }
  }
  // Every key was checked above.
  return copy(definition as unknown as LibrarianDefinition);
}

function copy(definition: LibrarianDefinition): LibrarianDefinition {
  const { capabilities, examples, delegatesTo, allow, fallback } = definition;
  return {
    ...definition,
    ...(capabilities && { capabilities: Object.freeze([...capabilities]) }),
    ...(examples && { examples: Object.freeze([...examples]) }),
    ...(delegatesTo && { delegatesTo: Object.freeze([...delegatesTo]) }),
    ...(fallback && { fallback: Object.freeze([...fallback]) }),
    ...(allow && { allow: typeof allow === "function" ? allow : copyAllow(allow) }),
  };
}

const allowKeys: ReadonlySet<string> = new Set<keyof AllowList>(["users", "teams", "roles"]);

/** @throws TypeError or RangeError: a rule that cannot be read must not let anyone in. */
function requireAllow(at: string, allow: unknown): void {
  if (allow === undefined || typeof allow === "function") return;
  if (!isRecord(allow)) {
    const expected = "expected a function of the user, or { users, teams, roles }";
    throw new TypeError(`${at}: allow: ${expected}, got ${describeValue(allow)}.`);
  }
  refuseUnknownKeys(`${at}: allow`, allow, allowKeys);
  for (const key of allowKeys) requireTexts(at, `allow.${key}`, allow[key]);
  if ([...allowKeys].every((key) => allow[key] === undefined)) {
    throw new RangeError(`${at}: allow: expected users, teams or roles, got none of them.`);
  }
}

function copyAllow({ users, teams, roles }: AllowList): AllowList {
  return Object.freeze({
    ...(users && { users: Object.freeze([...users]) }),
    ...(teams && { teams: Object.freeze([...teams]) }),
    ...(roles && { roles: Object.freeze([...roles]) }),
  });
}

function requireTexts(at: string, key: string, value: unknown, form?: RegExp): void {
  if (value === undefined) return;
  if (!Array.isArray(value)) {
    throw new TypeError(`${at}: ${key}: expected an array of texts, got ${describeValue(value)}.`);
  }
  for (const [index, item] of value.entries()) {
    if (typeof item !== "string") {
      throw new TypeError(`${at}: ${key}[${index}]: expected text, got ${describeValue(item)}.`);
    }
    if (form !== undefined && !form.test(item)) {
      throw new RangeError(
        `${at}: ${key}[${index}]: expected ${form.source}, got ${JSON.stringify(item.slice(0, 80))}.`,
      );
    }
  }
}

import type { Budget } from "./ai-client.js";
import { didYouMean } from "./did-you-mean.js";
import {
  describeOption,
  type FieldsOption,
  joinNames,
  maxTimerMs,
  minimum,
  type NumberOption,
  type Option,
  type OptionTable,
  type TextForm,
} from "./option-table.js";
import { readMergeStrategy } from "./response.js";
import { describeValue, isRecord } from "./unknown-value.js";

/**
 * Checks options from outside against their table, and reads each once.
 *
 * @param at - Name of the options in messages.
 * @param prefix - Text before the name of an option in messages.
 * @returns A copy of those that are given. Its lists are frozen.
 * @throws TypeError for a wrong type and RangeError for a wrong value, naming the key and the value.
 */
export function checkOptions<Options extends object>(
  at: string,
  options: unknown,
  table: OptionTable<Options>,
  prefix = "",
): Options {
  const fields = table as OptionTable;
  // Every key of the type is in the table, with a kind that holds its values: see OptionTable.
  return checkFields(at, options, { kind: "fields", fields }, prefix) as Options;
}

function checkFields(at: string, options: unknown, option: FieldsOption, prefix: string): object {
  const { fields, isFilled } = option;
  if (!isRecord(options)) throw new TypeError(wrong(at, describeOption(option), options));
  const taken: Record<string, unknown> = {};
  for (const key of readableKeys(options, fields)) {
    const value = options[key];
    if (value === undefined) continue;
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) {
      const known = Object.keys(fields);
      throw new TypeError(
        `${at}: unknown key ${describeValue(key)}.${didYouMean(key, known)} Valid keys: ${known.join(", ")}.`,
      );
    }
    taken[key] = checkOption(prefix + key, value, field);
  }
  for (const [key, field] of requiredFields(fields)) {
    if (!Object.hasOwn(taken, key)) checkOption(prefix + key, undefined, field); // throws
  }
  if (isFilled === true && Object.keys(taken).length === 0) {
    const names = joinNames(Object.keys(fields), "or");
    throw new RangeError(`${at}: expected ${names}, got none of them.`);
  }
  return taken;
}

/** The keys of a plain object; for an instance of a class, also those of the class. */
function readableKeys(options: object, fields: OptionTable): Iterable<string> {
  const own = Object.keys(options);
  const isPlain = Object.getPrototypeOf(options) === Object.prototype;
  return isPlain ? own : new Set([...own, ...Object.keys(fields)]);
}

/** Cached by table, because options are read for every query, and most tables have none. */
const required = new WeakMap<OptionTable, readonly (readonly [string, Option])[]>();

function requiredFields(fields: OptionTable): readonly (readonly [string, Option])[] {
  const known = required.get(fields);
  if (known !== undefined) return known;
  const found = Object.entries(fields).filter(([, field]) => field.isRequired === true);
  required.set(fields, found);
  return found;
}

/** @returns The value, or a copy of it where the caller could change it. */
function checkOption(at: string, value: unknown, option: Option): unknown {
  const accept = (isType: boolean, isInRange = true) => {
    if (isType && isInRange) return value;
    throw new (isType ? RangeError : TypeError)(wrong(at, describeOption(option), value));
  };
  switch (option.kind) {
    case "flag":
      return accept(typeof value === "boolean");
    case "function":
      return accept(typeof value === "function");
    case "choice":
      return accept(typeof value === "string", option.values.includes(value as string));
    case "text": {
      const { form } = option;
      if (typeof value !== "string" || form === undefined) {
        return accept(typeof value === "string" && value.trim() !== "");
      }
      return checkForm(at, value, form);
    }
    case "texts":
      accept(Array.isArray(value));
      return Object.freeze(
        [...(value as unknown[])].map((text, index) => {
          const place = `${at}[${index}]`;
          if (typeof text !== "string") throw new TypeError(wrong(place, "text", text));
          return option.form === undefined ? text : checkForm(place, text, option.form);
        }),
      );
    case "id-lists": {
      accept(isRecord(value));
      const lists = Object.entries(value as object).map(([key, ids]: [string, unknown]) => {
        if (Array.isArray(ids) && ids.every(isId)) return [key, Object.freeze([...ids])];
        throw new TypeError(wrong(`${at}.${key}`, "ids of librarians", ids));
      });
      return Object.fromEntries(lists);
    }
    case "merge": {
      const strategy = readMergeStrategy(value);
      if (strategy !== undefined) return strategy;
      if (isRecord(value) && typeof value.quorum === "number") {
        checkOption(`${at}.quorum`, value.quorum, { kind: "count", isFinite: true });
      }
      return accept(typeof value === "string" || isRecord(value), false);
    }
    case "object": {
      const { texts = [], methods = [] } = option;
      return accept(
        isRecord(value) &&
          texts.every((key) => typeof value[key] === "string") &&
          methods.every((key) => typeof value[key] === "function"),
      );
    }
    case "fields":
      return typeof value === option.or ? value : checkFields(at, value, option, `${at}.`);
    case "checked":
      return option.check(at, value);
    default:
      return accept(typeof value === "number", isInRange(value as number, option));
  }
}

function isInRange(value: number, option: NumberOption): boolean {
  if (option.kind === "share") return value > 0 && value <= 1;
  if (value === Number.POSITIVE_INFINITY) return option.isFinite !== true;
  if (!(value >= minimum(option))) return false; // NaN too
  if (option.kind === "count") return Number.isInteger(value);
  return option.kind === "amount" || value <= maxTimerMs;
}

function checkForm(at: string, text: string, { pattern, expected }: TextForm): string {
  if (pattern.test(text)) return text;
  // The value is in the code of the author, so it may be shown whole.
  throw new RangeError(`${at}: expected ${expected}, got ${JSON.stringify(text.slice(0, 80))}.`);
}

/** The message for a wrong option. */
export function wrong(at: string, expected: string, value: unknown): string {
  return `${at}: expected ${expected}, got ${describeValue(value)}.`;
}

/** The form of a librarian's id. */
export const idForm = { pattern: /^[a-z0-9-]{1,64}$/, expected: '1 to 64 of a-z, 0-9 and "-"' };

/** Whether a value could be the id of a librarian. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && idForm.pattern.test(value);
}

// Options that several tables have.

export const signalOption = {
  kind: "checked",
  check(at: string, value: unknown) {
    if (isSignal(value)) return value;
    throw new TypeError(wrong(at, "an AbortSignal", value));
  },
} as const;

function isSignal(value: unknown): boolean {
  try {
    return value instanceof AbortSignal && typeof value.aborted === "boolean";
  } catch {
    return false; // a proxy of one, which Node.js refuses to read
  }
}

export const aiOption = { kind: "object", methods: ["complete", "analyze", "runTools"] } as const;

export const userOption = {
  kind: "checked",
  check(at: string, value: unknown) {
    if (isRecord(value) && typeof value.id === "string" && value.id !== "") return value;
    throw new TypeError(wrong(at, "an object with an id", value));
  },
} as const;

export const budgetOption = {
  kind: "fields",
  fields: {
    tokens: { kind: "amount" },
    costUsd: { kind: "amount" },
  },
} as const satisfies FieldsOption<OptionTable<Budget>>;

import { idForm } from "@constellation/core/checks";
import { z } from "zod";

/** Marks an issue of a custom check as a wrong type, which zod cannot know. */
const wrongType = { wrongType: true } as const;

/**
 * Schemas for the fields of options. Their messages say what is expected, and `parseOptions` distinguishes a wrong
 * type from a wrong value.
 */
export const optionField = {
  /** Text that is not blank. @param what - Completes "expected": `"a sentence"`. */
  text(what: string) {
    const error = `expected ${what}`;
    return z.string(error).refine((value) => value.trim() !== "", error);
  },

  /** The path of a file or folder; relative ones in a mesh file start at its folder. */
  path(what = "a path") {
    return optionField.text(what).meta({ format: "path" });
  },

  /** Text that matches a pattern. @param what - Describes the pattern in words; completes "expected". */
  matching(form: RegExp, what: string) {
    const error = `expected ${what}`;
    return z.string(error).regex(form, error);
  },

  /** The id of a librarian. */
  id() {
    return optionField.matching(idForm.pattern, idForm.expected);
  },

  /** A number within inclusive bounds. */
  number(min: number, max: number) {
    const error = `expected a number from ${min} to ${max}`;
    return z.number(error).min(min, error).max(max, error);
  },

  /** An integer within inclusive bounds. */
  integer(min: number, max = Number.MAX_SAFE_INTEGER) {
    const error =
      max === Number.MAX_SAFE_INTEGER
        ? `expected an integer of ${min} or more`
        : `expected an integer from ${min} to ${max}`;
    return z.number(error).int(error).min(min, error).max(max, error);
  },

  /** `true` or `false`. */
  flag() {
    return z.boolean("expected true or false");
  },

  /** One of some texts. */
  oneOf<const Value extends string>(values: readonly Value[]) {
    return z.enum(values, `expected one of ${values.join(", ")}`);
  },

  /** An array. @param what - Completes "expected": `"an array of namespaces"`. */
  list<Item extends z.ZodType>(item: Item, what = "an array") {
    return z.array(item, `expected ${what}`);
  },

  /** An http or https URL that holds no user and no password. */
  httpUrl(what = "an http or https URL without a password") {
    const error = `expected ${what}`;
    return z.string(error).refine(isPlainHttpUrl, error);
  },

  /** A function. */
  callback<Callback extends (...given: never[]) => unknown>(what = "a function") {
    return z.custom<Callback>((value) => typeof value === "function", {
      error: `expected ${what}`,
      params: wrongType,
    });
  },

  /** An object with some methods, such as a port. */
  port<Port>(...methods: readonly (keyof Port & string)[]) {
    const names = methods.length === 1 ? methods[0] : joinNames(methods);
    return z.custom<Port>((value) => hasMethods(value, methods), {
      error: `expected an object with ${names}`,
      params: wrongType,
    });
  },
};

function joinNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return methods.every(
    (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function",
  );
}

function isPlainHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

import { type MergeStrategy, mergeStrategyForm } from "./response.js";

/** Longest timer that Node.js can hold, in milliseconds: about 24.8 days. */
export const maxTimerMs = 2_147_483_647;

/** Fields that every entry of a table may have. */
export interface DescribedOption {
  readonly isRequired?: true;
  /** Whether only code can set it, not a mesh file. Values that JSON cannot hold are excluded anyway. */
  readonly isInCode?: true;
}

/** A number: milliseconds up to {@link maxTimerMs}, an integer, any number, or more than 0 and at most 1. */
export interface NumberOption extends DescribedOption {
  readonly kind: "duration" | "count" | "amount" | "share";
  /** Not given: 1 for `duration` and `count`, else 0. */
  readonly min?: number;
  /** Whether `Infinity`, which means no limit, is refused. */
  readonly isFinite?: true;
  readonly default?: number;
}

/** What text must look like, and how messages describe it. */
export interface TextForm {
  readonly pattern: RegExp;
  readonly expected: string;
}

/** An object with options of its own. */
export interface FieldsOption<Fields = OptionTable> extends DescribedOption {
  readonly kind: "fields";
  readonly fields: Fields;
  /** What may be given in its place. */
  readonly or?: "boolean" | "function";
  /** Completes "expected", where the names of what is required do not. */
  readonly expected?: string;
  /** Whether at least one of the fields must be given. */
  readonly isFilled?: true;
}

/** An option that only code can give: a function, an object with methods and texts, or what `check` accepts. */
export type CodeOption = DescribedOption &
  (
    | { readonly kind: "function" }
    | {
        readonly kind: "object";
        readonly methods?: readonly string[];
        readonly texts?: readonly string[];
      }
    /** `check` returns the value, or a copy, or throws TypeError or RangeError with `at` before the message. */
    | { readonly kind: "checked"; readonly check: (at: string, value: unknown) => unknown }
  );

type FlagOption = DescribedOption & { readonly kind: "flag"; readonly default?: boolean };
type TextOption = DescribedOption & {
  readonly kind: "text";
  readonly form?: TextForm;
  readonly default?: string;
};
type ChoiceOption<Value = string> = DescribedOption & {
  readonly kind: "choice";
  readonly values: readonly Value[];
  readonly default?: Value;
};
type TextsOption = DescribedOption & { readonly kind: "texts"; readonly form?: TextForm };
/** Lists of ids of librarians, by key of metadata. */
type IdListsOption = DescribedOption & { readonly kind: "id-lists" };
type MergeOption = DescribedOption & { readonly kind: "merge"; readonly default?: MergeStrategy };

/** One option: its kind, range and default. */
export type Option =
  | NumberOption
  | FlagOption
  | TextOption
  | ChoiceOption
  | TextsOption
  | IdListsOption
  | MergeOption
  | FieldsOption
  | CodeOption;

type AnyFunction = (...given: never[]) => unknown;

/** The kinds of option that a type of value may have. */
type OptionFor<Value> =
  | CodeOption
  | ([Value] extends [number] ? NumberOption : never)
  | ([Value] extends [boolean] ? FlagOption : never)
  | ([Value] extends [string] ? TextOption | ChoiceOption<Value> : never)
  | ([Value] extends [readonly string[]] ? TextsOption : never)
  | ([Value] extends [Readonly<Record<string, readonly string[]>>] ? IdListsOption : never)
  | ([MergeStrategy] extends [Value] ? MergeOption : never)
  | ([Value] extends [string | number | AnyFunction]
      ? never
      : FieldsOption<OptionTable<Extract<Exclude<Value, AnyFunction>, object>>>);

/**
 * The options of a type, by name, in the order in which messages and pages list them. Checks, defaults, valid keys,
 * the schema of mesh files and the reference come from it; the compiler holds it to the type.
 */
export type OptionTable<Options = Readonly<Record<string, unknown>>> = string extends keyof Options
  ? Readonly<Record<string, Option>>
  : {
      readonly [Key in keyof Options]-?: OptionFor<NonNullable<Options[Key]>> &
        (undefined extends Options[Key] ? unknown : { readonly isRequired: true });
    };

/** Those of a table's options that have a default. */
export type DefaultsOf<Table> = {
  readonly [Key in keyof Table as Table[Key] extends { readonly default: unknown }
    ? Key
    : never]: Table[Key] extends { readonly default: infer Value } ? Value : never;
};

/** Reads the defaults of a table, by name. */
export function readDefaults<Table extends object>(table: Table): DefaultsOf<Table> {
  const given = Object.entries(table as OptionTable).flatMap(([key, option]) =>
    "default" in option ? [[key, option.default]] : [],
  );
  return Object.fromEntries(given) as DefaultsOf<Table>; // the same keys and values
}

/** Options with their defaults; `undefined` where the feature is off. */
export function withDefaults<Defaults extends object>(
  value: object | boolean | undefined,
  defaults: Defaults,
): Defaults | undefined {
  if (value === undefined || value === false) return undefined;
  return value === true ? defaults : { ...defaults, ...value };
}

/** The minimum of a kind of number. */
export function minimum({ kind, min }: NumberOption): number {
  return min ?? (kind === "duration" || kind === "count" ? 1 : 0);
}

/**
 * Describes the values of an option, to complete "expected".
 *
 * @param isLimited - Whether no number may be `Infinity`, as in a mesh file.
 */
export function describeOption(option: Option, isLimited = "isFinite" in option): string {
  switch (option.kind) {
    case "duration":
      return `milliseconds, ${minimum(option)} to ${maxTimerMs}${isLimited ? "" : " or Infinity"}`;
    case "count":
      return `an integer of ${minimum(option)} or more${isLimited ? "" : ", or Infinity"}`;
    case "amount":
      return `a number of ${minimum(option)} or more`;
    case "share":
      return "more than 0 and at most 1";
    case "flag":
      return "true or false";
    case "text":
      return option.form?.expected ?? "text";
    case "choice":
      return joinNames(
        option.values.map((value) => JSON.stringify(value)),
        "or",
      );
    case "texts":
      return "an array of texts";
    case "id-lists":
      return "ids by key of metadata";
    case "merge":
      return mergeStrategyForm;
    case "object":
      return withNames([...(option.texts ?? []), ...(option.methods ?? [])]);
    case "fields": {
      const { fields, or, expected } = option;
      if (expected !== undefined) return expected;
      if (or === "boolean") return "true, false or an object";
      return withNames(Object.keys(fields).filter((key) => fields[key]?.isRequired));
    }
    default:
      return "a function";
  }
}

function withNames(names: readonly string[]): string {
  return names.length === 0 ? "an object" : `an object with ${joinNames(names, "and")}`;
}

/** `a, b and c`. */
export function joinNames(names: readonly string[], word: "and" | "or"): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}

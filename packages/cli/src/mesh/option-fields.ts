import { maxTimerMs, mergeStrategyNames } from "@constellation/core";
import {
  describeOption,
  type FieldsOption,
  idForm,
  minimum,
  type NumberOption,
  type Option,
  type OptionTable,
  type TextForm,
} from "@constellation/core/checks";
import { z } from "zod";

/** Names of the options that a file can hold. */
type FileKey<Table> = {
  [Key in keyof Table]: Table[Key] extends
    | { readonly kind: "function" | "object" | "checked" }
    | { readonly isInCode: true }
    ? never
    : Key;
}[keyof Table];

type Fields<Options, Table> = {
  readonly [Key in FileKey<Table> & keyof Options]: z.ZodOptional<
    z.ZodType<NonNullable<Options[Key]>>
  >;
};

/**
 * Makes the schema of each option that a file can hold from its table: everything that is plain data.
 * All are optional; numbers are finite, because JSON has no `Infinity`.
 *
 * @param texts - What editors show of each.
 */
export function optionFields<Options, Table extends OptionTable<Options>>(
  table: Table,
  texts: OptionTexts = {},
): Fields<Options, Table> {
  // OptionTable ties the kind of each entry to the type of its option, and fieldSchema accepts values of that kind.
  return makeFields(table as OptionTable, texts) as Fields<Options, Table>;
}

/** Descriptions of options, by name. */
type OptionTexts = Readonly<Record<string, string>>;

function makeFields(table: OptionTable, texts: OptionTexts): Record<string, z.ZodType> {
  const fields = Object.entries(table).flatMap(([key, option]) => {
    const schema = option.isInCode ? undefined : fieldSchema(option);
    return schema === undefined ? [] : [[key, described(schema, option, texts[key]).optional()]];
  });
  return Object.fromEntries(fields);
}

function described(schema: z.ZodType, option: Option, text: string | undefined): z.ZodType {
  if (text === undefined) return schema;
  const preset = "default" in option ? option.default : undefined;
  const shown = preset === Number.POSITIVE_INFINITY ? "no limit" : String(preset);
  const rest = preset === undefined ? "" : ` Default: ${shown}.`;
  return schema.meta({ description: text + rest });
}

/** @returns `undefined` for an option that only code can give. */
function fieldSchema(option: Option): z.ZodType | undefined {
  const error = `expected ${describeOption(option, true)}`;
  switch (option.kind) {
    case "duration":
    case "count":
    case "amount":
    case "share":
      return numberSchema(option, error);
    case "flag":
      return z.boolean(error);
    case "text":
      return textSchema(option.form, error);
    case "choice":
      return z.enum(option.values, error);
    case "texts":
      return z.array(textSchema(option.form, "expected text"), error);
    case "id-lists":
      return z.record(z.string(), z.array(textSchema(idForm), "expected an array of ids"), error);
    case "merge": {
      const names = `expected ${mergeStrategyNames.join(", ")} or { quorum: n }`;
      const quorum = numberSchema({ kind: "count" }, "expected an integer of 1 or more");
      return z.union([z.enum(mergeStrategyNames), z.strictObject({ quorum })], names);
    }
    case "fields":
      return objectSchema(option, error);
    default:
      return undefined;
  }
}

function numberSchema(option: NumberOption, error: string): z.ZodType {
  const { kind } = option;
  if (kind === "share") return z.number(error).gt(0, error).max(1, error);
  const schema = kind === "count" ? z.int(error) : z.number(error);
  const bounded = schema.min(minimum(option), error);
  return kind === "duration" ? bounded.max(maxTimerMs, error) : bounded;
}

function textSchema(form?: TextForm, blank?: string): z.ZodType {
  if (form === undefined) return z.string(blank).regex(/\S/, blank);
  const error = `expected ${form.expected}`;
  return z.string(error).regex(form.pattern, error);
}

function objectSchema({ fields, or, isFilled }: FieldsOption, error: string): z.ZodType {
  const shape = makeFields(fields, {});
  const names = Object.keys(shape).join(", ");
  if (or === "boolean") {
    return z.union([z.boolean(), z.strictObject(shape)], `expected true, false or ${names}`);
  }
  const schema = z.strictObject(shape, or === undefined ? error : `expected ${names}`);
  if (isFilled !== true) return schema;
  return schema.refine((given) => Object.keys(given).length > 0, `expected ${names}`);
}

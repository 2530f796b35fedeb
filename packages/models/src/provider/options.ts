import { optionField, parseOptions } from "@constellation/authoring";
import { isRecord } from "@constellation/core/checks";
import { z } from "zod";
import {
  createModelSettings,
  type ModelOptions,
  type ModelSettings,
  modelOptionFields,
} from "../model/model-options.js";
import type { LanguageModel } from "./spec.js";

/** Options for `createModelClient`. */
export interface ModelClientOptions extends Omit<ModelOptions, "fallbackModels" | "smallModel"> {
  /**
   * Models to try, in this order, where `fallbackModels` of the other clients would be tried.
   *
   * @default []
   */
  readonly fallbackModels?: readonly LanguageModel[] | undefined;
  /** A cheaper, faster model for requests with `task: "small"` that do not name a model. */
  readonly smallModel?: LanguageModel | undefined;
  /** Gives the model that a request names, such as the provider itself: `openai`. Not given: the models above. */
  readonly findModel?: ((id: string) => LanguageModel) | undefined;
  /** Options of the provider, as `providerOptions` of the AI SDK: `{ openai: { reasoningEffort: "low" } }`. */
  readonly providerOptions?:
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
}

/** {@link ModelClientOptions}, checked, with defaults. */
export interface ProviderSettings extends ModelSettings {
  /** By id. */
  readonly models: ReadonlyMap<string, LanguageModel>;
  readonly findModel: ModelClientOptions["findModel"];
  readonly providerOptions: ModelClientOptions["providerOptions"];
}

const model = z.custom<LanguageModel>(isLanguageModel, "expected a language model of the AI SDK");

const optionsSchema = z.strictObject({
  ...modelOptionFields,
  fallbackModels: optionField.list(model).optional(),
  smallModel: model.optional(),
  findModel: optionField.callback<(id: string) => LanguageModel>().optional(),
  providerOptions: z
    .record(z.string(), z.record(z.string(), z.unknown()), "expected an object")
    .optional(),
});

/** @throws TypeError or RangeError that names the option. */
export function checkProviderOptions(given: unknown, options: unknown): ProviderSettings {
  if (!isLanguageModel(given)) {
    throw new TypeError(
      'model: expected a language model of the AI SDK, such as `openai("gpt-5")`, of specification v2, v3 or v4.',
    );
  }
  const { fallbackModels = [], smallModel, ...rest } = parseOptions(optionsSchema, options);
  const small = smallModel === undefined ? [] : [smallModel];
  const all = [given, ...small, ...fallbackModels];
  const named = {
    ...rest,
    fallbackModels: fallbackModels.map(({ modelId }) => modelId),
    smallModel: smallModel?.modelId,
  };
  return {
    ...createModelSettings(named, given.modelId),
    priceList: { providerId: given.provider.split(".")[0] ?? "" }, // `openai.chat` is of `openai`
    models: new Map(all.map((each) => [each.modelId, each])),
    findModel: rest.findModel,
    providerOptions: rest.providerOptions,
  };
}

function isLanguageModel(value: unknown): value is LanguageModel {
  return (
    isRecord(value) &&
    ["v2", "v3", "v4"].includes(String(value.specificationVersion)) &&
    typeof value.modelId === "string" &&
    typeof value.doGenerate === "function" &&
    typeof value.doStream === "function"
  );
}

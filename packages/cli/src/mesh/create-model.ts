import type { AIClient } from "@constellation/core";
import type { MeshFile } from "./mesh-file.schema.js";

type Model = NonNullable<MeshFile["model"]>;

/** A model, or why it is missing. */
export type MadeModel =
  | { readonly ai: AIClient; readonly notice?: undefined }
  | { readonly ai?: undefined; readonly notice: string };

/**
 * Makes the client of a mesh file's model, with its key from the environment. Without the key the
 * mesh works without a model.
 *
 * @throws TypeError or RangeError that names a wrong option.
 */
export async function createModel(
  model: Model,
  env: Readonly<Record<string, string | undefined>>,
): Promise<MadeModel> {
  if (model.provider === "anthropic") {
    const { provider: _, ...options } = model;
    const apiKey = env.ANTHROPIC_API_KEY;
    if (!apiKey) return withoutKey("ANTHROPIC_API_KEY");
    const { createAnthropicClient } = await import("@constellation/models");
    return { ai: createAnthropicClient({ ...options, apiKey }) };
  }
  const { provider: _, apiKeyEnv, ...options } = model;
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  if (apiKeyEnv !== undefined && !apiKey) return withoutKey(apiKeyEnv);
  const { createOpenAICompatibleClient } = await import("@constellation/models");
  return { ai: createOpenAICompatibleClient({ ...options, apiKey }) };
}

function withoutKey(name: string): MadeModel {
  return { notice: `${name} is not set: no model is used.` };
}

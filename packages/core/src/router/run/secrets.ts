import { type AIClient, type AITool, withCalls, withTools } from "../../contract/ai-client.js";
import type { DelegateRequest, Response } from "../../contract/response.js";

/** Metadata of a run, split into secret keys and the rest. */
export interface SplitMetadata {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Absent: the caller gave none. */
  readonly secrets: Readonly<Record<string, unknown>> | undefined;
}

/** By key of metadata, the librarians that it is meant for. */
export type SecretKeys = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Separates the secrets from a caller's metadata, so that nothing copies or prints them.
 *
 * @param given - Frozen.
 */
export function splitMetadata(
  given: Readonly<Record<string, unknown>>,
  keys: SecretKeys | undefined,
): SplitMetadata {
  if (keys === undefined) return { metadata: given, secrets: undefined };
  const entries = Object.entries(given);
  const secret = entries.filter(([key]) => keys.has(key));
  return {
    metadata: Object.freeze(Object.fromEntries(entries.filter(([key]) => !keys.has(key)))),
    secrets: secret.length === 0 ? undefined : Object.freeze(Object.fromEntries(secret)),
  };
}

/** Data without secret keys: a librarian can neither replace a secret nor pass it on by name. */
export function withoutSecretKeys<Data extends Readonly<Record<string, unknown>>>(
  data: Data,
  keys: SecretKeys | undefined,
): Data {
  if (keys === undefined || !Object.keys(data).some((key) => keys.has(key))) return data;
  // Only keys of a plain record are left out.
  return Object.freeze(
    Object.fromEntries(Object.entries(data).filter(([key]) => !keys.has(key))),
  ) as Data;
}

/** A response whose metadata and delegates have no secret keys, so that no event and no record has one. */
export function withoutReturnedSecrets(response: Response, keys: SecretKeys): Response {
  const { metadata, delegate } = response;
  if (metadata === undefined && delegate === undefined) return response;
  const cleaned = (request: DelegateRequest): DelegateRequest =>
    request.context === undefined
      ? request
      : { ...request, context: withoutSecretKeys(request.context, keys) };
  return {
    ...response,
    ...(metadata !== undefined && { metadata: withoutSecretKeys(metadata, keys) }),
    ...(delegate !== undefined && {
      delegate: "to" in delegate ? cleaned(delegate) : delegate.map(cleaned),
    }),
  };
}

/**
 * Metadata for one librarian: its secrets can be read by name, but are not enumerable, so that copies, logs and
 * serializations leave them out.
 */
export function metadataFor(
  librarian: string,
  metadata: Readonly<Record<string, unknown>> | undefined,
  secrets: Readonly<Record<string, unknown>>,
  keys: SecretKeys,
): Readonly<Record<string, unknown>> | undefined {
  const own = Object.entries(secrets).filter(([key]) => keys.get(key)?.has(librarian));
  if (own.length === 0) return metadata;
  const copy = { ...metadata };
  for (const [key, value] of own) Object.defineProperty(copy, key, { value, enumerable: false });
  return Object.freeze(copy);
}

/** Minimum length of a secret that is searched for in text: a shorter one would match by accident. */
const minSecretLength = 4;

const removed = "[secret]";

/** Wraps a model client, so that no text of a secret reaches it in prompts or results of tools. */
export function withoutSecrets(
  client: AIClient,
  secrets: Readonly<Record<string, unknown>>,
): AIClient {
  const texts = Object.values(secrets)
    .filter((value) => typeof value === "string")
    .filter(({ length }) => length >= minSecretLength);
  const clean = (text: string) =>
    texts.reduce((rest, secret) => rest.replaceAll(secret, removed), text);
  return withCalls(client, (_method, request, call) => {
    const { system, prompt } = request;
    const cleaned = {
      ...request,
      ...(system !== undefined && { system: clean(system) }),
      prompt:
        typeof prompt === "string"
          ? clean(prompt)
          : prompt.map((turn) => ({ ...turn, text: clean(turn.text) })),
    };
    const cleanTool =
      (run: AITool["run"]): AITool["run"] =>
      async (input, options) =>
        clean(await run(input, options));
    return call(withTools(cleaned, cleanTool));
  });
}

import type { JournaledRequest } from "@constellation/core";
import { entryVersion } from "./entries.js";

/** Without what JSON cannot hold: `Infinity`, which does not limit, is left out. */
export function plainRequest(request: JournaledRequest): object {
  const text = JSON.stringify({ v: entryVersion, ...request }, (_key, value: unknown) =>
    value === Infinity ? undefined : value,
  );
  return JSON.parse(text) as object; // written above
}

/** @throws Error for a request of another version. */
export function readRequest(body: string): JournaledRequest {
  const {
    v,
    timeoutMs = Infinity,
    ...request
  } = JSON.parse(body) as Partial<JournaledRequest> & {
    readonly v?: number;
  };
  if (v !== entryVersion) throw new Error(`it was written by version ${String(v)}`);
  return { timeoutMs, ...request } as JournaledRequest; // written by `begin`
}

/** The part of a request that a thread needs. */
export function pickThread({ query, options }: Pick<JournaledRequest, "query" | "options">) {
  const { thread } = options;
  return { query, thread: typeof thread === "string" ? thread : undefined };
}

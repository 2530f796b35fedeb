import type { Response } from "@constellation/core";
import type { AlertedObject } from "./incident/read-alerts.js";
import { resourcePath } from "./incident/resource-path.js";
import { quoted } from "./incident/untrusted.js";

/** Maximum number of objects of one payload that are investigated; further ones are named. */
export const maxObjects = 20;
const maxSources = 50;

/**
 * One response for several objects: the answer has a part for each, `metadata.results` the whole of each, and what stands beside
 * it is that of the most severe. It is an error only where all are.
 *
 * @param responses - Of the first alerts, in their order.
 */
export function mergeByObject(
  alerts: readonly AlertedObject[],
  responses: readonly Response[],
): Response {
  const [first] = responses;
  const named = alerts.map(({ signal }) => nameOf(signal));
  const left = named.slice(responses.length);
  const parts = responses.map(
    ({ answer, error }, at) => `### ${named[at] ?? ""}\n\n${answer ?? error?.message ?? ""}`,
  );
  const confidences = responses.flatMap(({ confidence }) => confidence ?? []);
  const isFailed = responses.every(({ error }) => error !== undefined);
  return {
    answer: [
      ...parts,
      ...(left.length === 0 ? [] : [`Not looked at: ${left.join(", ")}. Send them again.`]),
    ].join("\n\n"),
    sources: responses.flatMap(({ sources = [] }) => sources).slice(0, maxSources),
    ...(confidences.length > 0 && { confidence: Math.min(...confidences) }),
    ...((left.length > 0 || responses.some((one) => one.partial === true || one.error)) && {
      partial: true,
    }),
    ...(isFailed && first?.error !== undefined && { error: first.error }),
    metadata: {
      ...first?.metadata,
      results: responses.map(({ metadata, confidence, error }, at) => ({
        object: named[at],
        ...(confidence !== undefined && { confidence }),
        ...(error !== undefined && { error }),
        ...metadata,
      })),
      ...(left.length > 0 && { notLookedAt: left }),
    },
  };
}

function nameOf({ namespace, resource_kind, resource_name, signal_type }: AlertedObject["signal"]) {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const path = resourcePath({
    namespace: text(namespace),
    kind: text(resource_kind),
    name: text(resource_name),
  });
  return quoted(path === "" ? (text(signal_type) ?? "an alert") : path, 200);
}

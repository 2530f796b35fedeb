import type { Response } from "@constellation/core";
import { z } from "zod";
import type { Gathered } from "./incident/gather.js";
import type { AlertedObject } from "./incident/read-alerts.js";
import { resourcePath } from "./incident/resource-path.js";
import { identifier, quoted } from "./incident/untrusted.js";

/** Maximum number of objects of one payload that are investigated; further ones are named. */
export const maxObjects = 20;
const maxSources = 50;

/** An alert with what is known of it. */
export interface LookedAt {
  readonly alert: AlertedObject;
  readonly gathered: Gathered;
}

/** A response, and the alerts that it answers, the most severe first. */
export interface ObjectResult {
  readonly response: Response;
  readonly looked: readonly LookedAt[];
}

/** What a controller adds to its own name for each pod, in the letters that Kubernetes draws from. */
const podSuffix = /-[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/**
 * Alerts by what was observed: a Deployment and a pod of it that one trouble stops are one object, and so are pods of one
 * controller where nothing was observed.
 */
export function groupByObject(
  looked: readonly LookedAt[],
): readonly (readonly [LookedAt, ...LookedAt[]])[] {
  const groups = new Map<string, [LookedAt, ...LookedAt[]]>();
  for (const [at, one] of looked.entries()) {
    const { evidence, incident } = one.gathered;
    const { name = "" } = incident.resource ?? {};
    const workload =
      observedWorkload(one) ||
      (podSuffix.test(name)
        ? `${evidence} ${resourcePath({ ...incident.resource, name: name.replace(podSuffix, "") })}`
        : "");
    const key = workload === "" ? String(at) : `${incident.signalType} ${workload}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** `namespace/kind/name` of what the object belongs to. Blank: nothing observed says it. */
function observedWorkload({ gathered: { evidence, incident } }: LookedAt): string {
  const { kind, name } = incident.owner ?? {};
  const isKnown = evidence === "observed" && kind !== undefined && name !== undefined;
  return isKnown ? resourcePath(incident.owner) : "";
}

/**
 * One response for several objects: the answer has a part for each, `metadata.results` the whole of each, and what stands beside
 * it is that of the most severe. Objects with one and the same proposal have one part. It is an error only where all are.
 *
 * @param notLookedAt - Alerts beyond {@link maxObjects}.
 */
export function mergeByObject(
  answered: readonly ObjectResult[],
  notLookedAt: readonly AlertedObject[],
): Response {
  const responses = answered.map(({ response }) => response);
  const [first] = responses;
  const left = notLookedAt.map(({ signal }) => quoted(plainName(signal), 200));
  const groups = new Map<string, { readonly response: Response; readonly looked: LookedAt[] }>();
  for (const [at, { response, looked }] of answered.entries()) {
    const key = proposalOf(response) ?? String(at);
    const group = groups.get(key) ?? { response, looked: [] };
    groups.set(key, group);
    group.looked.push(...looked);
  }
  const results = [...groups.values()].map(({ response, looked }) => ({
    response,
    names: looked.map(({ alert }) => plainName(alert.signal)),
    workloads: looked.map(observedWorkload).filter((name) => name !== ""),
  }));
  const parts = results.map(({ names, response: { answer, error } }) => {
    const heading = names.map((name) => quoted(name, 200)).join(", ");
    return `### ${heading}\n\n${answer ?? error?.message ?? ""}`;
  });
  const headlines = results.map(
    ({ names: [name = ""], response: { headline, error } }) =>
      `${quoted(name, 200)}: ${headline ?? error?.message ?? ""}`,
  );
  const confidences = responses.flatMap(({ confidence }) => confidence ?? []);
  const isFailed = responses.every(({ error }) => error !== undefined);
  return {
    answer: [
      ...parts,
      ...(left.length === 0 ? [] : [`Not looked at: ${left.join(", ")}. Send them again.`]),
    ].join("\n\n"),
    headline: headlines.join(" "),
    sources: responses.flatMap(({ sources = [] }) => sources).slice(0, maxSources),
    ...(confidences.length > 0 && { confidence: Math.min(...confidences) }),
    ...((left.length > 0 || responses.some((one) => one.partial === true || one.error)) && {
      partial: true,
    }),
    ...(isFailed && first?.error !== undefined && { error: first.error }),
    metadata: {
      ...first?.metadata,
      results: results.map(({ names, workloads, response }) => {
        const [object = "", ...also] = new Set([...names, ...workloads]);
        return {
          object: identifier(object),
          ...(also.length > 0 && { also: also.map(identifier) }),
          ...(response.confidence !== undefined && { confidence: response.confidence }),
          ...(response.error !== undefined && { error: response.error }),
          ...response.metadata,
        };
      }),
      ...(left.length > 0 && { notLookedAt: left }),
    },
  };
}

const selectionSchema = z.object({
  strategies: z.array(z.object({ workflow_id: z.string(), parameters: z.unknown() })),
});

/** What is proposed, and for what; undefined: nothing is, or without a parameter that tells for what. */
function proposalOf({ metadata }: Response): string | undefined {
  const [best] = selectionSchema.safeParse(metadata?.workflowSelection).data?.strategies ?? [];
  const parameters = JSON.stringify(best?.parameters ?? {});
  return best === undefined || parameters === "{}" ? undefined : best.workflow_id + parameters;
}

function plainName({
  namespace,
  resource_kind,
  resource_name,
  signal_type,
}: AlertedObject["signal"]) {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const path = resourcePath({
    namespace: text(namespace),
    kind: text(resource_kind),
    name: text(resource_name),
  });
  return path === "" ? (text(signal_type) ?? "an alert") : path;
}

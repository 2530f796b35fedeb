import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { findPurpose } from "../purpose.js";

/** How long a controller has to act on a change, in milliseconds. */
const patienceMs = 60_000;

/** An object whose controller has not acted on its spec: the status is that of an earlier generation. */
export const unobserved: Detector = (object, view) => {
  const generation = numberAt(object, "metadata", "generation");
  const found = readObservedGeneration(object);
  if (generation === undefined || found === undefined || found.observed >= generation) return [];
  const { observed, path } = found;
  const changed = timeAt(object, "metadata", "lastEdit", "at") ?? Number.NEGATIVE_INFINITY;
  const isEarly = view.now - changed < patienceMs;
  const behind = `its controller has observed generation ${observed} of ${generation} (${path})`;
  return [
    finding({
      signal: findPurpose(object.kind) ?? "RolloutStuck",
      severity: "high",
      object,
      confidence: 0.8,
      // Not every controller writes it to each condition.
      verified: path === "status.observedGeneration",
      summary: `the last change of ${object.kind} ${object.metadata.name} is not processed: ${behind}, so what the status says, and what runs, is of the spec before`,
      message: `observedGeneration ${observed}, generation ${generation}`,
      evidence: [
        fieldEvidence(object, path, `${observed}`),
        fieldEvidence(object, "metadata.generation", `${generation}`),
      ],
      next: describeCommand(object),
      values: { is_unobserved: true },
      ...(isEarly && {
        standing: {
          kind: "early",
          why: `${object.kind} ${object.metadata.name} was changed ${Math.round((view.now - changed) / 1_000)} s ago, and ${behind}: its status speaks of the spec before`,
        },
      }),
    }),
  ];
};

/** The newest generation that a status speaks of: its own field, else the newest of its conditions. */
function readObservedGeneration(object: KubernetesObject) {
  const own = numberAt(object, "status", "observedGeneration");
  if (own !== undefined) return { observed: own, path: "status.observedGeneration" };
  const conditions = listAt(object, "status", "conditions").flatMap(
    (one) => numberAt(one, "observedGeneration") ?? [],
  );
  return conditions.length === 0
    ? undefined
    : {
        observed: Math.max(...conditions),
        path: "status.conditions[].observedGeneration",
      };
}

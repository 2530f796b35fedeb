import { listAt, numberAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { purposeOf } from "../purpose.js";

/** How long a controller has to act on a change, in milliseconds. */
const patienceMs = 60_000;

/** An object whose controller has not acted on its spec: the status is that of an earlier generation. */
export const unobserved: Detector = (object, view) => {
  const generation = numberAt(object, "metadata", "generation");
  const observed = numberAt(object, "status", "observedGeneration");
  if (generation === undefined || observed === undefined || observed >= generation) return [];
  const changed = Math.max(
    ...listAt(object, "metadata", "managedFields").flatMap((one) => timeAt(one, "time") ?? []),
  );
  if (view.now - changed < patienceMs) return [];
  return [
    finding({
      signal: purposeOf(object.kind) ?? "RolloutStuck",
      severity: "high",
      object,
      confidence: 0.8,
      summary: `the last change of ${object.kind} ${object.metadata.name} is not processed: its controller has observed generation ${observed} of ${generation} (status.observedGeneration), so what the status says, and what runs, is of the spec before`,
      message: `observedGeneration ${observed}, generation ${generation}`,
      evidence: [
        fieldEvidence(object, "status.observedGeneration", `${observed}`),
        fieldEvidence(object, "metadata.generation", `${generation}`),
      ],
      next: describeCommand(object),
      values: { is_unobserved: true },
    }),
  ];
};

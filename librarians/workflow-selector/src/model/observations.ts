import { z } from "zod";
import { promptKeys } from "../incident/fact.schema.js";
import { asLine, observationsIn } from "../incident/untrusted.js";

const withEvidence = z.looseObject({
  evidence: z
    .array(z.object({ source: z.string(), text: z.string() }))
    .nullish()
    .catch(undefined),
});

const maxFacts = 20;
const maxFactsLength = 12_000;

/** Facts as lines of a prompt, in the order given: values of known keys and evidence, and nothing else that a fact holds. */
export function readObservations(records: readonly unknown[]): readonly string[] {
  let room = maxFactsLength;
  return records.slice(0, maxFacts).flatMap((record) => {
    const { success, data } = withEvidence.safeParse(record);
    if (!success) return [];
    const values = promptKeys.flatMap((key) => {
      const text = Object.hasOwn(data, key) ? shownValue(data[key]) : "";
      return text === "" ? [] : [`${key} ${text}`];
    });
    const evidence = (data.evidence ?? [])
      .slice(0, 8)
      .map(({ source, text }) => `[${asLine(source, 200)}] ${asLine(observationsIn(text), 300)}`);
    const whole = [...values, ...evidence].join("; ").slice(0, room);
    room -= whole.length;
    return whole === "" ? [] : [whole];
  });
}

function shownValue(value: unknown): string {
  if (typeof value === "string") return asLine(observationsIn(value), 300);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return "";
  return value
    .slice(0, 20)
    .map(shownValue)
    .filter((text) => text !== "")
    .join(", ");
}

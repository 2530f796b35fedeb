import { readFileSync } from "node:fs";
import { z } from "zod";
import { toPattern } from "./concepts.js";

/** What something means, in words, and what mends it: what entries say of what they do and of when. */
const meaning = { means: z.string(), mends: z.string() };
const signalsSchema = z.record(
  z.string(),
  z.object({
    ...meaning,
    /** The name of a signal represents the causes of that one. */
    causes: z.array(z.union([z.string(), z.object({ ...meaning, says: z.string() })])).default([]),
  }),
);

/** A trouble in words. */
export interface Trouble {
  readonly means: string;
  /** Actions against it. */
  readonly mends: string;
}

interface Signal extends Trouble {
  readonly causes: readonly (Trouble & { readonly form: RegExp })[];
}

/** What a signal of the k8s librarian means; `own` has nothing for another signal. */
export interface Explained {
  /** What all causes of it have in common. */
  readonly own: readonly Trouble[];
  /** Those that its messages show. */
  readonly causes: readonly Trouble[];
}

/** Read on first use. */
let signals: ReadonlyMap<string, Signal> | undefined;

/** Says what a signal means, and which of its causes the messages show. */
export function explainSignal(name: string, messages: readonly string[] = []): Explained {
  signals ??= readSignals();
  const signal = signals.get(name.toLowerCase());
  if (signal === undefined) return { own: [], causes: [] };
  const text = messages.join("\n");
  const causes = signal.causes.filter(({ form }) => form.test(text));
  return { own: [signal], causes };
}

/** Each known trouble once. */
export function knownTroubles(): readonly Trouble[] {
  signals ??= readSignals();
  const all = [...signals.values()].flatMap((signal) => [signal, ...signal.causes]);
  return [...new Map(all.map((trouble) => [trouble.means, trouble])).values()];
}

function readSignals(): ReadonlyMap<string, Signal> {
  const file = readFileSync(new URL("../../data/signals.json", import.meta.url), "utf8");
  const read = signalsSchema.parse(JSON.parse(file));
  const compiled = new Map<object, Signal["causes"][number]>();
  const causesOf = (name: string): Signal["causes"] =>
    (read[name]?.causes ?? []).flatMap((cause) => {
      if (typeof cause === "string") return causesOf(cause);
      const known = compiled.get(cause) ?? { ...cause, form: toPattern(cause.says.split(" | ")) };
      compiled.set(cause, known);
      return [known];
    });
  return new Map(
    Object.entries(read).map(([name, { means, mends }]) => [
      name.toLowerCase(),
      { means, mends, causes: causesOf(name) },
    ]),
  );
}

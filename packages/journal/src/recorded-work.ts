import type { AIClient, JournaledHop, RunJournal } from "@constellation/core";
import { entryVersion, type ModelBody, type StepBody } from "./entries.js";
import { recordModel } from "./record-model.js";

/** A line of the record of a run. */
export interface WorkLine {
  readonly phase: "intent" | "outcome";
  readonly kind: "model" | "step";
  readonly key: string;
  readonly body: StepBody | ModelBody;
  /** Recorded in place of `body` where that is too large to keep. */
  readonly small?: StepBody | undefined;
}

/** The part of a journal that recording work needs. */
export interface WorkRecord {
  /** Names work of a hop by its content; equal work of one hop is counted. */
  keyOf(hop: JournaledHop, kind: WorkLine["kind"], content: unknown): string;
  /** Whether an earlier process has begun this work. */
  hasIntent(key: string): boolean;
  /** What an earlier process has recorded of this work. */
  readOutcome(key: string): object | undefined;
  /** @returns Whether it was not there yet. Rejects with a MeshError where it cannot be recorded. */
  add(line: WorkLine): Promise<boolean>;
  /**
   * Opens a wait for work whose process ended before its outcome was recorded, unless someone has reported the
   * outcome.
   */
  unknownOutcome(hop: JournaledHop, key: string, what: string): ReturnType<RunJournal["wait"]>;
  /** Idempotency key of the work with this key. */
  idempotencyKey(key: string): string;
}

/**
 * Steps and calls of models of a run: recorded ones are not repeated.
 *
 * @beta
 */
export class RecordedWork implements Pick<RunJournal, "modelOf" | "step" | "untilIdle"> {
  readonly #record: WorkRecord;
  /** Work under way, by hop. */
  readonly #busy = new Map<JournaledHop, Set<Promise<unknown>>>();

  constructor(record: WorkRecord) {
    this.#record = record;
  }

  modelOf(hop: JournaledHop, ai: AIClient): AIClient {
    const record = this.#record;
    return recordModel(ai, {
      keyOf: (content) => record.keyOf(hop, "model", content),
      find: (key) => record.readOutcome(key) as ModelBody | undefined, // recorded below
      record: (key, body) => {
        const line = { phase: "outcome", kind: "model", key, body } as const;
        void record.add(line).catch(() => undefined); // the call is made again then
      },
      during: (work) => this.#during(hop, work),
    });
  }

  async step(
    ...[hop, name, work, isIdempotent]: Parameters<RunJournal["step"]>
  ): ReturnType<RunJournal["step"]> {
    const record = this.#record;
    const key = record.keyOf(hop, "step", name);
    const outcome = record.readOutcome(key) as StepBody | undefined; // recorded below
    if (outcome !== undefined && outcome.isOmitted !== true) return { value: outcome.value };
    const empty = { v: entryVersion };
    // Each time it is done has an intent of its own: someone may have had it repeated.
    for (let attempt = key, number = 2; ; attempt = `${key} attempt ${number++}`) {
      if (!record.hasIntent(attempt)) {
        const line = { phase: "intent", kind: "step", key: attempt, body: empty } as const;
        if (await record.add(line)) break; // else another process has begun it meanwhile
      }
      if (isIdempotent) break;
      const known = record.unknownOutcome(hop, attempt, `${hop.to}, step ${name}`);
      if ("waiting" in known) return known;
      if (known.answer.outcome === "answered") return { value: known.answer.value };
    }
    const idempotencyKey = record.idempotencyKey(key);
    const value = await this.#during(hop, async () => work({ idempotencyKey }));
    const body = value === undefined ? empty : { ...empty, value };
    const small: StepBody = { ...empty, isOmitted: true };
    await record.add({ phase: "outcome", kind: "step", key, body, small });
    return { value };
  }

  untilIdle(hop: JournaledHop): Promise<void> | undefined {
    const busy = this.#busy.get(hop);
    return busy === undefined ? undefined : Promise.allSettled(busy).then(() => undefined);
  }

  /** Resolves when the work of all hops has ended. */
  async allIdle(): Promise<void> {
    await Promise.allSettled([...this.#busy.values()].flatMap((each) => [...each]));
  }

  async #during<Result>(hop: JournaledHop, work: () => Promise<Result>): Promise<Result> {
    const busy = this.#busy.get(hop) ?? new Set();
    this.#busy.set(hop, busy);
    const done = work();
    busy.add(done);
    try {
      return await done;
    } finally {
      busy.delete(done);
      if (busy.size === 0) this.#busy.delete(hop);
    }
  }
}

/** The wait for the outcome of work whose process has ended. */
export function unknownOutcomeRequest(what: string): Parameters<RunJournal["wait"]>[1] {
  return {
    kind: "outcome-unknown",
    what: what.slice(0, 1_000),
    why: "The process ended before the outcome was recorded.",
  };
}

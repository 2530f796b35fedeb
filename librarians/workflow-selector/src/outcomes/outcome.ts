import { z } from "zod";

/** The outcome of a workflow that was proposed. */
export interface Outcome {
  readonly workflow_id: string;
  readonly version: string;
  /** `approved` and `rejected` by a person; `succeeded` and `failed` when it had run. */
  readonly event: "approved" | "rejected" | "succeeded" | "failed";
  /** When, in ISO 8601. */
  readonly at: string;
  /** The signal of the incident, such as `OOMKilled`. */
  readonly signal_type?: string | undefined;
  readonly environment?: string | undefined;
  /** Who decided or ran it. */
  readonly by?: string | undefined;
  readonly note?: string | undefined;
}

/** Keeps outcomes, wherever that is. */
export interface OutcomeStore {
  /** Rejects when it cannot be kept, and with a TypeError for an outcome that is not one. */
  record(outcome: Outcome): Promise<void>;
  /** All of them, oldest first. Rejects when they cannot be read. */
  read(signal?: AbortSignal): Promise<readonly Outcome[]>;
}

const text = (maxLength: number) => z.string().min(1).max(maxLength);

/** Checks an {@link Outcome}. */
export const outcomeSchema: z.ZodType<Outcome> = z.strictObject({
  workflow_id: text(255),
  version: text(50),
  event: z.enum(["approved", "rejected", "succeeded", "failed"]),
  at: z.iso.datetime({ offset: true }),
  signal_type: text(200).optional(),
  environment: text(100).optional(),
  by: text(200).optional(),
  note: text(2_000).optional(),
});

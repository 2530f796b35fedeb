import { type AllowList, isAllowed, type User } from "./user.js";

/** What a run waits for: an approval, an answer, an event, or the outcome of a write. */
export type WaitingKind = "approval" | "question" | "event" | "outcome-unknown";

/** Something that a run waits for, as `metadata.waiting` lists it. Plain data. */
export interface Waiting {
  /** Id of the wait within its run, for `router.resume`. */
  readonly id: string;
  /** The run that is resumed. */
  readonly runId: string;
  readonly kind: WaitingKind;
  /** Id of the librarian that waits. */
  readonly librarian: string;
  /** What is to be approved, the question, or the name of the event. For people. */
  readonly what: string;
  readonly why?: string | undefined;
  /** Data to decide on, for display. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Who may answer. Default: anyone whom the application allows; for a question, the user of the run. */
  readonly by?: AllowList | undefined;
  /** The user of the run may not answer it. */
  readonly excludeRequester?: true | undefined;
  /** Id of the user of the run. */
  readonly requestedBy?: string | undefined;
  /** JSON Schema of the answer to a question. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  /** Epoch milliseconds. Not given: it does not expire. */
  readonly expiresAt?: number | undefined;
}

/** Options of every wait. */
interface WaitOptions {
  /** Why it is needed, for display. */
  readonly why?: string | undefined;
  /**
   * Time until it expires, in milliseconds, 1 to 2147483647, or `Infinity`. Expiry counts as an answer.
   *
   * @default Infinity
   */
  readonly expiresIn?: number | undefined;
}

/** What `context.approve` asks for. */
export interface ApprovalRequest extends WaitOptions {
  /** What is to be approved, as one sentence for people. */
  readonly what: string;
  /** Data to decide on, such as the parameters of an action. Plain data; part of the identity of the wait. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Who may answer. Default: anyone whom the application allows. */
  readonly by?: AllowList | undefined;
  /**
   * Whether the user of the run is excluded from answering.
   *
   * @default false
   */
  readonly excludeRequester?: boolean | undefined;
}

/** A decision about an {@link ApprovalRequest}. A refusal and an expiry are answers. */
export interface Approval {
  readonly approved: boolean;
  readonly outcome: "approved" | "refused" | "expired";
  /** Id of the user who decided, where one is known. */
  readonly by?: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Comment of the person. */
  readonly comment?: string | undefined;
}

/** Options of `context.askUser`. */
export interface QuestionOptions extends WaitOptions {
  /** Who may answer. Not given: the run's own user, where it has one. */
  readonly by?: AllowList | undefined;
}

/** What a person answered. */
export type UserAnswer<Value> =
  | {
      readonly outcome: "answered";
      /** The value, which has passed the schema. */
      readonly value: Value;
      readonly by?: string | undefined;
      readonly at: number;
    }
  | {
      readonly outcome: "refused" | "expired";
      readonly by?: string | undefined;
      readonly at: number;
    };

/** Options of `context.waitFor`. */
export interface EventOptions extends WaitOptions {
  /** Who may report the event. Default: anyone whom the application allows. */
  readonly by?: AllowList | undefined;
}

/** An event from outside, or its expiry. */
export type ArrivedEvent =
  | {
      readonly outcome: "arrived";
      readonly value: unknown;
      readonly by?: string | undefined;
      readonly at: number;
    }
  | { readonly outcome: "expired"; readonly at: number };

/** Options of `context.step`. */
export interface StepOptions {
  /**
   * Whether the step may run again when its process ended before its outcome was recorded: repeating it is harmless,
   * or the other side recognises `idempotencyKey`.
   *
   * @default false
   */
  readonly idempotent?: boolean | undefined;
}

/** Arguments of the work of a step. */
export interface StepWork {
  /** The same each time this step of this run is done: pass it to systems that recognise repeated requests. */
  readonly idempotencyKey: string;
  /** Aborts with the hop. */
  readonly signal: AbortSignal;
}

/** An answer to a wait of a run. */
export interface WaitAnswer {
  /** `id` of the entry of `metadata.waiting`. */
  readonly id: string;
  /** The decision about an approval. For a question, `false` declines to answer. */
  readonly approve?: boolean | undefined;
  /**
   * For a question or an event. For an unknown outcome: what the librarian or the step would have returned.
   */
  readonly value?: unknown;
  /** For an unknown outcome: it did not happen and should be done now. */
  readonly repeat?: boolean | undefined;
  /** The user who answers: decides whether it is allowed; the id is recorded. */
  readonly user?: User | undefined;
  /** Comment of the person. At most 2,000 characters are kept. */
  readonly comment?: string | undefined;
}

/**
 * Users, roles and teams of which one may answer. Empty: anyone whom the application lets answer.
 *
 * @beta
 */
export function answerersOf({ by = {} }: Waiting): readonly string[] {
  return [by.users, by.roles, by.teams].flatMap((names) => names ?? []);
}

/** Whether a user may answer what a run waits for. */
export function mayAnswer(
  { by, excludeRequester, requestedBy }: Waiting,
  user: User | undefined,
): boolean {
  if (excludeRequester === true && (user === undefined || user.id === requestedBy)) return false;
  return by === undefined || isAllowed(by, user);
}

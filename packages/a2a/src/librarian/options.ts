import type { Effects } from "@constellation/core";
import { z } from "zod";
import { describeValue, longestTimerMs } from "../option-checks.js";

/** Options for {@link createA2ALibrarian}. Exactly one of `url` and `card` is needed. */
export interface A2ALibrarianOptions {
  /** Unique in its router: `^[a-z0-9-]+$`, at most 64 characters. */
  readonly id: string;
  /**
   * Address of the agent, `https:` or `http:`: its card is at `/.well-known/agent-card.json` there. An
   * address that ends with `.json` is the card's own.
   */
  readonly url?: string | undefined;
  /** The agent's card as JSON, of protocol 1.0 or 0.3, instead of asking for it. */
  readonly card?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Sent with every request to the agent, such as `Authorization`: to the origin of `url`, or those
   * the given `card` names, and to `allowedOrigins`. Redirects are not followed.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Further origins, such as `https://agents.example.com`, that a card from `url` may name.
   *
   * @default []
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Goes along with each message, such as `{ librarian: "k8s" }` for the agent of a mesh. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** What it can answer: how others find it. The given card's, or a general sentence, where not given. */
  readonly description?: string | undefined;
  /** For people. The id where there is none. */
  readonly name?: string | undefined;
  /** Who owns it. */
  readonly team?: string | undefined;
  /** `^[a-z0-9.-]+$`, hierarchical: `travel.flights`. */
  readonly capabilities?: readonly string[] | undefined;
  /** Questions it answers well, as people ask them. */
  readonly examples?: readonly string[] | undefined;
  /**
   * Whether asking the agent changes anything outside.
   *
   * @default "read"
   */
  readonly effects?: Effects | undefined;
  /**
   * Most time for one call, waiting for its task included, in milliseconds: 1 to 2147483647.
   *
   * @default 120_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Time before a task at work is looked at again, in milliseconds: 1 to 60,000. Each wait is half as
   * long again as the one before, at most 5,000 or this.
   *
   * @default 500
   */
  readonly pollMs?: number | undefined;
  /**
   * How sure an answer is taken to be, 0 to 1, where the agent does not say.
   *
   * @default 0.7
   */
  readonly confidence?: number | undefined;
  /**
   * Longest answer, in characters: 1 to 1,000,000. The rest is cut, and the answer partial.
   *
   * @default 4_000
   */
  readonly maxAnswerLength?: number | undefined;
  /**
   * Largest reply of the agent, in bytes: 1,024 to 104857600. A larger one is `DATA_SOURCE_ERROR`.
   *
   * @default 1_048_576
   */
  readonly maxReplyBytes?: number | undefined;
}

/** The defaults named in {@link A2ALibrarianOptions}. */
export const a2aLibrarianDefaults = {
  allowedOrigins: [],
  effects: "read",
  timeoutMs: 120_000,
  pollMs: 500,
  confidence: 0.7,
  maxAnswerLength: 4_000,
  maxReplyBytes: 1_048_576,
} as const satisfies Partial<A2ALibrarianOptions>;

const shape = {
  id: matching(/^[a-z0-9-]{1,64}$/),
  url: z.string("expected a URL").refine(isHttpUrl, "expected an http or https URL").optional(),
  card: z
    .record(z.string(), z.unknown(), "expected an agent card")
    .refine(looksLikeCard, "expected an agent card, with a name and an interface")
    .optional(),
  headers: z
    .record(z.string(), z.string("expected text"), "expected an object of texts")
    .optional(),
  allowedOrigins: z
    .array(
      z.string().refine(isOrigin, "expected an origin, such as https://example.com"),
      "expected an array",
    )
    .optional(),
  metadata: z.record(z.string(), z.unknown(), "expected an object").optional(),
  description: text("a sentence about what it can answer").optional(),
  name: text("a name").optional(),
  team: text("a name").optional(),
  capabilities: z.array(matching(/^[a-z0-9.-]{1,128}$/), "expected an array").optional(),
  examples: z.array(text("a question"), "expected an array").optional(),
  effects: z.enum(["read", "write"], "expected read or write").optional(),
  timeoutMs: integerFrom(1, longestTimerMs).optional(),
  pollMs: integerFrom(1, 60_000).optional(),
  confidence: z
    .number("expected a number from 0 to 1")
    .min(0, "expected a number from 0 to 1")
    .max(1, "expected a number from 0 to 1")
    .optional(),
  maxAnswerLength: integerFrom(1, 1_000_000).optional(),
  maxReplyBytes: integerFrom(1_024, 104_857_600).optional(),
};

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<A2ALibrarianOptions> = z
  .strictObject(shape)
  .refine(({ url, card }) => (url === undefined) !== (card === undefined), {
    path: ["url"],
    error: "expected the address of an agent, or `card` instead of it",
  });

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): A2ALibrarianOptions {
  const checked = optionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue === undefined || (issue.path.length === 0 && issue.code === "invalid_type")) {
    throw new TypeError(`options: expected an object, got ${describeValue(options)}.`);
  }
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(shape).join(", ");
    throw new TypeError(
      `options: unknown key ${describeValue(issue.keys[0])}. Known are ${known}.`,
    );
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], // zod walked it
    options,
  );
  const kind = issue.code === "invalid_type" ? TypeError : RangeError;
  throw new kind(`${issue.path.join(".")}: ${issue.message}, got ${describeValue(value)}.`);
}

function text(what: string) {
  const error = `expected ${what}`;
  return z.string(error).refine((value) => value.trim() !== "", error);
}

function matching(form: RegExp) {
  const error = `expected ${form.source}`;
  return z.string(error).regex(form, error);
}

function integerFrom(least: number, most: number) {
  const error = `expected an integer from ${least} to ${most}`;
  return z.number(error).int(error).min(least, error).max(most, error);
}

/** Whether a card has what both revisions want. What is wrong with the rest shows when it is used. */
function looksLikeCard({ name, url, supportedInterfaces }: Record<string, unknown>): boolean {
  const isReachable = typeof url === "string" || Array.isArray(supportedInterfaces);
  return typeof name === "string" && name.trim() !== "" && isReachable;
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isOrigin(value: string): boolean {
  return isHttpUrl(value) && new URL(value).origin === value;
}

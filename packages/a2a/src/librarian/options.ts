import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
  parseOptions,
} from "@constellation/authoring";
import type { Effects } from "@constellation/core";
import { type OutgoingCallOptions, outgoingCallFields } from "@constellation/transport/envelope";
import { z } from "zod";

/** Options for {@link createA2ALibrarian}. Exactly one of `url` and `card` is needed. */
export interface A2ALibrarianOptions extends LibrarianOptions, OutgoingCallOptions {
  /** Unique in its router: lower-case letters, digits and hyphens, at most 64. */
  readonly id: string;
  /**
   * Address of the agent, `https:` or `http:`: its card is at `/.well-known/agent-card.json` there. An
   * address that ends with `.json` is the card's own.
   */
  readonly url?: string | undefined;
  /** The agent's card as JSON, of protocol 1.0 or 0.3, instead of fetching it. */
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
  /** Sent with each message, such as `{ librarian: "k8s" }` for the agent of a mesh. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** What it can answer, so that others can find it. Default: from the given card, or a general sentence. */
  readonly description?: string | undefined;
  /**
   * Whether the agent changes anything outside.
   *
   * @default "read"
   */
  readonly effects?: Effects | undefined;
  /** Its actions, if it writes: `refund`, `cancel order`. Routing calls it for such orders only. */
  readonly acts?: readonly string[] | undefined;
  /**
   * Maximum time for one call, waiting for its task included, in milliseconds: 1 to 2147483647.
   *
   * @default 120_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum time between two polls of a task in progress, in milliseconds: 1 to 60,000. The first poll
   * comes after 25 ms at most, and each wait is half as long again as the one before.
   *
   * @default 1_000
   */
  readonly pollMs?: number | undefined;
  /**
   * Confidence of an answer, 0 to 1, where the agent states none.
   *
   * @default 0.7
   */
  readonly confidence?: number | undefined;
  /**
   * Maximum length of an answer, in characters: 1 to 1,000,000. The rest is cut, and the answer partial.
   * Without this option the answer of another mesh is not cut.
   *
   * @default 4_000
   */
  readonly maxAnswerLength?: number | undefined;
  /**
   * Maximum size of a reply of the agent, in bytes: 1,024 to 104857600. A larger one is `DATA_SOURCE_ERROR`.
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
  pollMs: 1_000,
  confidence: 0.7,
  maxAnswerLength: 4_000,
  maxReplyBytes: 1_048_576,
} as const satisfies Partial<A2ALibrarianOptions>;

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<A2ALibrarianOptions> = z
  .strictObject({
    ...librarianOptionFields,
    ...outgoingCallFields,
    id: librarianOptionFields.id.unwrap(),
    url: optionField.httpUrl().optional(),
    card: z
      .record(z.string(), z.unknown(), "expected an agent card")
      .refine(looksLikeCard, "expected an agent card, with a name and an interface")
      .optional(),
    headers: z
      .record(z.string(), z.string("expected text"), "expected an object of texts")
      .optional(),
    allowedOrigins: optionField
      .list(z.string().refine(isOrigin, "expected an origin, such as https://example.com"))
      .optional(),
    metadata: z.record(z.string(), z.unknown(), "expected an object").optional(),
    effects: optionField.oneOf(["read", "write"]).optional(),
    acts: optionField.list(optionField.text("a verb, maybe with what it is done to")).optional(),
    pollMs: optionField.integer(1, 60_000).optional(),
    confidence: optionField.number(0, 1).optional(),
    maxAnswerLength: optionField.integer(1, 1_000_000).optional(),
    maxReplyBytes: optionField.integer(1_024, 104_857_600).optional(),
  })
  .refine(({ url, card }) => (url === undefined) !== (card === undefined), {
    path: ["url"],
    error: "expected the address of an agent, or `card` instead of it",
  });

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): A2ALibrarianOptions {
  return parseOptions(optionsSchema, options, { secrets: ["headers"] });
}

/** Whether a card has the fields that both revisions require. Other problems show when the card is used. */
function looksLikeCard({ name, url, supportedInterfaces }: Record<string, unknown>): boolean {
  const isReachable = typeof url === "string" || Array.isArray(supportedInterfaces);
  return typeof name === "string" && name.trim() !== "" && isReachable;
}

function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

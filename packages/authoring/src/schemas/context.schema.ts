import {
  type AIClient,
  type Context,
  isTraceContext,
  type LibrarianInfo,
  type Thread,
  type TraceContext,
  type UnavailableDelegate,
  type User,
} from "@constellation/core";
import { z } from "zod";

const librarianInfoShape = z.object({
  id: z
    .string()
    .max(64)
    .regex(/^[a-z0-9-]+$/),
  description: z.string().optional(),
  name: z.string().optional(),
  team: z.string().optional(),
  capabilities: z.array(z.string().regex(/^[a-z0-9.-]+$/)).optional(),
  examples: z.array(z.string()).optional(),
  delegatesTo: z.array(z.string()).optional(),
  effects: z.enum(["read", "write"]).optional(),
  acts: z.array(z.string().max(64)).max(64).optional(),
});

/** Checks the description of a librarian. */
export const librarianInfoSchema: z.ZodType<LibrarianInfo> = librarianInfoShape;

const unavailableDelegateSchema: z.ZodType<UnavailableDelegate> = librarianInfoShape.extend({
  reason: z.enum(["down", "circuit-open"]),
  retryAfterMs: z.number().optional(),
});

/** Checks a user; keys beyond these are kept. */
export const userSchema: z.ZodType<User> = z.looseObject({
  id: z.string().min(1),
  name: z.string().optional(),
  teams: z.array(z.string()).optional(),
  roles: z.array(z.string()).optional(),
});

/** Checks a place in a trace. */
export const traceContextSchema: z.ZodType<TraceContext> = z.custom<TraceContext>(isTraceContext, {
  error: "expected traceId (32 hex digits) and spanId (16 hex digits)",
});

const aiClientSchema = z.custom<AIClient>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    ["complete", "analyze", "runTools"].every(
      (method) => typeof (value as Record<string, unknown>)[method] === "function",
    ),
  { error: "expected an object with complete, analyze and runTools" },
);

/** Checks the thread of a query; keys beyond these are left out. */
export const threadSchema: z.ZodType<Thread> = z.object({
  id: z.string(),
  turns: z.array(
    z.object({
      runId: z.string(),
      query: z.string(),
      asked: z.string().optional(),
      answer: z.string().optional(),
      librarians: z.array(z.string()),
      at: z.number(),
    }),
  ),
});

const method = <T>() =>
  z.custom<T>((value) => typeof value === "function", { error: "expected a function" });

/** Checks a context from outside. `{}` passes: no field is required. */
export const contextSchema: z.ZodType<Context> = z.object({
  librarian: librarianInfoSchema.optional(),
  user: userSchema.optional(),
  trace: traceContextSchema.optional(),
  delegationChain: z.array(z.string()).optional(),
  callPath: z
    .array(z.object({ mesh: z.string(), id: z.string(), isBridge: z.boolean().optional() }))
    .optional(),
  openRemoteCall: method<NonNullable<Context["openRemoteCall"]>>().optional(),
  ai: aiClientSchema.optional(),
  availableDelegates: z.array(librarianInfoSchema).optional(),
  unavailableDelegates: z.array(unavailableDelegateSchema).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  observed: method<NonNullable<Context["observed"]>>().optional(),
  signal: z.instanceof(AbortSignal).optional(),
  deadline: z.union([z.number(), z.literal(Number.POSITIVE_INFINITY)]).optional(),
  remainingMs: method<() => number>().optional(),
  requestId: z.string().optional(),
  originalQuery: z.string().optional(),
  thread: threadSchema.optional(),
  depth: z.number().int().min(0).optional(),
  withinBudget: method<NonNullable<Context["withinBudget"]>>().optional(),
  ask: method<NonNullable<Context["ask"]>>().optional(),
  probe: method<NonNullable<Context["probe"]>>().optional(),
  report: method<NonNullable<Context["report"]>>().optional(),
  idempotencyKey: z.string().optional(),
  step: method<NonNullable<Context["step"]>>().optional(),
  approve: method<NonNullable<Context["approve"]>>().optional(),
  askUser: method<NonNullable<Context["askUser"]>>().optional(),
  waitFor: method<NonNullable<Context["waitFor"]>>().optional(),
});

import { createHash, randomUUID } from "node:crypto";
import type { ZodType } from "zod";
import type { HopContext } from "../../contract/context.js";
import type {
  DecisionRecord,
  HopStart,
  RecordedAnswer,
  RunJournal,
  WaitRequest,
} from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import { checkOptions } from "../../contract/option-checks.js";
import type { OptionTable } from "../../contract/option-table.js";
import type { Response } from "../../contract/response.js";
import { describeValue, type Mutable } from "../../contract/unknown-value.js";
import type {
  Approval,
  ApprovalRequest,
  ArrivedEvent,
  EventOptions,
  QuestionOptions,
  StepOptions,
  StepWork,
  UserAnswer,
  Waiting,
} from "../../contract/waiting.js";
import { signalOf } from "../run/calls.js";
import { callerEnded, noJournal } from "../run/errors.js";
import { chainOf, extrasOf } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { RunWaits } from "../run/run-waits.js";
import { markWritten } from "./written.js";

// The part of a hop that needs a journal: its recorded response, steps that run once, and waits.

/** Asks the journal about a hop that is about to call its librarian. A recorded response is used in its place. */
export function recallHop(hop: Hop): HopStart | undefined {
  const { journal } = hop.run;
  const query = journal?.askedAs?.(hop);
  if (query !== undefined) (hop as Mutable<Hop>).query = query; // hops below inherit it
  const start = journal?.start(hop);
  if (start === undefined || !("response" in start)) return start;
  if (hop.extras?.replay !== undefined) return undefined; // an equal call of this run, or the cache, has it
  if (hop.registration?.info.effects === "write") markWritten(hop);
  extrasOf(hop).replay = { from: "journal", leader: undefined, ...start };
  return undefined;
}

/** Records the outcome of a hop, unless it waits or its process ends. */
export function recordHop(
  hop: Hop,
  journal: RunJournal,
  response: Response,
  failed: MeshError | undefined,
): void {
  const { extras, run, state } = hop;
  if (extras?.replay?.from === "journal") return;
  if (extras?.waiting !== undefined) journal.waited?.(hop);
  else if (state !== "stopped") journal.ended(hop, response, undefined);
  else if (!run.isInterrupted) journal.ended(hop, response, failed);
}

/** @param call - Calls the librarian. */
export function callAfter(
  hop: Hop,
  start: Exclude<HopStart, { readonly instead: unknown }>,
  call: () => unknown,
): Promise<unknown> {
  if ("waiting" in start) return waitIn(hop, start.waiting);
  const intent = "intent" in start ? start.intent : Promise.resolve();
  return intent.then(() => (hop.state === "pending" ? call() : undefined));
}

/** Without a journal no call is repeated, so any key will do where the caller passes none. */
export function idempotencyKeyOf(hop: Hop): string {
  const { journal } = hop.run;
  if (journal !== undefined) return journal.idempotencyKeyOf(hop);
  const extras = extrasOf(hop);
  extras.idempotencyKey ??= keyBelow(hop, hop.run.idempotencyKey) ?? randomUUID();
  return extras.idempotencyKey;
}

/** The key of the run for its first hop; below it, one of its own for each piece of work. */
function keyBelow(hop: Hop, key: string | undefined): string | undefined {
  if (key === undefined || hop.parent === undefined) return key;
  const parts = JSON.stringify([key, ...chainOf(hop), hop.to, hop.query]);
  return createHash("sha256").update(parts).digest("base64url").slice(0, 32);
}

export async function runStep<Value>(
  hop: Hop,
  name: unknown,
  work: (step: StepWork) => Value | Promise<Value>,
  options: unknown,
): Promise<Value> {
  const { idempotent = false } = checkStepOptions(options);
  if (typeof name !== "string" || name === "" || name.length > 200) {
    throw new TypeError(`name: expected text of 1 to 200 characters, got ${describeValue(name)}.`);
  }
  if (typeof work !== "function") {
    throw new TypeError(`work: expected a function, got ${describeValue(work)}.`);
  }
  assertActive(hop);
  const signal = signalOf(hop);
  const { journal } = hop.run;
  if (journal === undefined) {
    return work({ idempotencyKey: randomUUID(), signal });
  }
  const doWork = ({ idempotencyKey }: Pick<StepWork, "idempotencyKey">) =>
    work({ idempotencyKey, signal });
  const done = await journal.step(hop, name, doWork, idempotent);
  if ("waiting" in done) return waitIn(hop, done.waiting);
  return done.value as Value; // what the same work returned, now or before
}

export async function approve(hop: Hop, request: unknown): Promise<Approval> {
  const { excludeRequester, expiresIn, ...checked } = checkApproval(request);
  const { outcome, by, at, comment } = await awaitAnswer(hop, {
    kind: "approval",
    ...checked,
    ...(excludeRequester === true && { excludeRequester }),
    expiresAt: toExpiry(expiresIn),
  });
  return {
    approved: outcome === "approved",
    outcome: outcome === "approved" || outcome === "expired" ? outcome : "refused",
    ...(by !== undefined && { by }),
    at,
    ...(comment !== undefined && { comment }),
  };
}

/** Repeats the question, with the problem, until the answer passes the schema. */
export async function askUser<Value>(
  hop: Hop,
  question: unknown,
  schema: ZodType<Value>,
  options: unknown,
): Promise<UserAnswer<Value>> {
  const { expiresIn, why, by } = checkWaitOptions(options);
  if (typeof question !== "string" || question.trim() === "") {
    throw new TypeError(`question: expected text, got ${describeValue(question)}.`);
  }
  const { toJSONSchema } = await import("zod"); // loading it costs more than the rest of core
  const { user } = hop.run;
  const request = {
    ...({ kind: "question", what: question, expiresAt: toExpiry(expiresIn) } as const),
    by: by ?? (user === undefined ? undefined : { users: [user.id] }),
    schema: toJSONSchema(schema, { unrepresentable: "any" }) as Record<string, unknown>, // an object at the top
  };
  for (let problem = why; ; ) {
    const answer = await awaitAnswer(hop, { ...request, why: problem });
    const who = { ...(answer.by !== undefined && { by: answer.by }), at: answer.at };
    if (answer.outcome === "expired") return { outcome: "expired", ...who };
    if (answer.outcome !== "answered") return { outcome: "refused", ...who };
    const parsed = await schema.safeParseAsync(answer.value);
    if (parsed.success) return { outcome: "answered", value: parsed.data, ...who };
    const [issue] = parsed.error.issues;
    problem = `The answer was not usable: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`;
  }
}

export async function waitForEvent(
  hop: Hop,
  name: unknown,
  options: unknown,
): Promise<ArrivedEvent> {
  const { expiresIn, why, by } = checkWaitOptions(options);
  if (typeof name !== "string" || name.trim() === "") {
    throw new TypeError(`name: expected text, got ${describeValue(name)}.`);
  }
  const expiresAt = toExpiry(expiresIn);
  const answer = await awaitAnswer(hop, { kind: "event", what: name, why, by, expiresAt });
  if (answer.outcome === "expired") return { outcome: "expired", at: answer.at };
  const { value, by: who, at } = answer;
  return { outcome: "arrived", value, ...(who !== undefined && { by: who }), at };
}

/** The same fields for a context without a router: a step just runs, and nothing can wait. */
export function withoutJournal(
  librarian: string,
  signal: AbortSignal,
): Pick<HopContext, "idempotencyKey" | "step" | "approve" | "askUser" | "waitFor"> {
  const refuse = () => Promise.reject(noJournal(librarian));
  return {
    idempotencyKey: randomUUID(),
    step: async (_name, work) => work({ idempotencyKey: randomUUID(), signal }),
    approve: refuse,
    askUser: refuse,
    waitFor: refuse,
  };
}

/** @throws MeshError where nothing new may start for the hop. */
export function assertActive(hop: Hop): void {
  if (hop.extras?.waiting !== undefined) throw hop.extras.waiting;
  if (hop.state !== "pending") throw callerEnded(hop.to);
}

async function awaitAnswer(hop: Hop, request: WaitRequest): Promise<RecordedAnswer> {
  assertActive(hop);
  const { journal } = hop.run;
  if (journal === undefined) throw noJournal(hop.to);
  const found = journal.wait(hop, request);
  if (!("answer" in found)) return waitIn(hop, found.waiting);
  hop.decided(decisionOf(request, found.answer));
  return found.answer;
}

/**
 * An answer to a wait, as events and records have it.
 *
 * @beta
 */
export function decisionOf(
  { kind, what }: Pick<WaitRequest, "kind" | "what">,
  { outcome, by, at: answeredAt, comment }: RecordedAnswer,
): DecisionRecord {
  const who = { ...(by !== undefined && { by }), ...(comment !== undefined && { comment }) };
  return { kind, what, outcome, answeredAt, ...who };
}

function waitIn(hop: Hop, waiting: Waiting): Promise<never> {
  const { run } = hop;
  run.waits ??= new RunWaits(run);
  return run.waits.add(hop, waiting);
}

function toExpiry(expiresIn = Number.POSITIVE_INFINITY): number | undefined {
  return expiresIn === Number.POSITIVE_INFINITY ? undefined : Date.now() + expiresIn;
}

const allowFields = {
  kind: "fields",
  fields: { users: { kind: "texts" }, teams: { kind: "texts" }, roles: { kind: "texts" } },
  isFilled: true,
} as const;
const waitTable = {
  why: { kind: "text" },
  by: allowFields,
  expiresIn: { kind: "duration", default: Number.POSITIVE_INFINITY },
} as const;

const approvalTable = {
  what: { kind: "text", isRequired: true },
  data: { kind: "object" },
  excludeRequester: { kind: "flag", default: false },
  ...waitTable,
} as const satisfies OptionTable<ApprovalRequest>;

/** @throws TypeError or RangeError that names the key and the value. */
export function checkApproval(request: unknown): ApprovalRequest {
  return checkOptions<ApprovalRequest>("request", request, approvalTable);
}

/** As {@link checkApproval}, for options of a question or an event. */
export function checkWaitOptions(options: unknown): QuestionOptions & EventOptions {
  return checkOptions<QuestionOptions & EventOptions>("options", options ?? {}, waitTable);
}

const stepTable = {
  idempotent: { kind: "flag", default: false },
} as const satisfies OptionTable<StepOptions>;

/** As {@link checkApproval}, for options of a step. */
export function checkStepOptions(options: unknown): StepOptions {
  return checkOptions<StepOptions>("options", options ?? {}, stepTable);
}

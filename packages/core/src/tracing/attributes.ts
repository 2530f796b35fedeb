/**
 * Span attribute names. Each row: what the value is, and an example.
 *
 * `gen_ai.*` and `error.type` are OpenTelemetry's, from the semantic conventions for generative AI,
 * 1.42.0 (in development, so copied and not imported); `librarian.*` are Constellation's.
 */
export const attributes = {
  /** Kind of operation: `"invoke_workflow"` (run), `"invoke_agent"` (hop). */
  operationName: "gen_ai.operation.name",
  /** Name of the router: `"incident"`. */
  workflowName: "gen_ai.workflow.name",
  /** Librarian id: `"k8s"`. */
  agentName: "gen_ai.agent.name",
  /** The query as JSON, of a run or a hop, only with `recordContent`. */
  inputMessages: "gen_ai.input.messages",
  /** The answer as JSON, of a run or a hop, only with `recordContent`. */
  outputMessages: "gen_ai.output.messages",
  /** Tokens that models read for a run, a hop or a merge, only where one was called: `1200`. */
  inputTokens: "gen_ai.usage.input_tokens",
  /** Tokens that models wrote: `310`. */
  outputTokens: "gen_ai.usage.output_tokens",
  /** Part of the tokens read that came from a cache: `1000`. */
  cacheReadTokens: "gen_ai.usage.cache_read.input_tokens",
  /** Row of `errorCodes`, only on failure: `"LOOP_DETECTED"`. */
  errorType: "error.type",
  /** SHA-256 of the user's id, its first 16 digits, on the run's span: `"9f86d081884c7d65"`. */
  userHash: "user.hash",
  /** The user's id itself, only with `recordContent`. */
  userId: "user.id",
  /** Status of a model's service or another server, only on failure: `503`. */
  httpStatus: "http.response.status_code",
  /** Kind of what a librarian threw, on the event `exception`: `"TypeError"`. */
  exceptionType: "exception.type",
  /** Frames of its stack, without its message, only with `recordContent`. */
  exceptionStack: "exception.stacktrace",

  /** Names the run: `"5f0c…"`. On the run's span. */
  runId: "librarian.run.id",
  /** Librarian id: `"k8s"`. */
  librarianId: "librarian.id",
  /** Number of the hop in its run, from 1: `3`. */
  hopId: "librarian.hop.id",
  /** Place of the hop on its path, from 0: `2`. */
  depth: "librarian.delegation.depth",
  /** Id of the librarian that delegated or asked: `"front-desk"`. */
  from: "librarian.delegation.from",
  /** Where the response comes from, only when the librarian was not called: `"cache"`. */
  shared: "librarian.shared",
  /** Milliseconds that the hop waited for a slot, only where it did: `12.5`. */
  waitedMs: "librarian.queue.wait_ms",
  /** How the hop came about: `"entry"`, `"delegate"` or `"ask"`. */
  mode: "librarian.delegation.mode",
  /** How the branches of a fan-out become one: `"merge-all"`. */
  strategy: "librarian.delegation.strategy",
  /** Number of delegates of a fan-out: `5`. */
  fanoutSize: "librarian.delegation.fanout.size",
  /** Ids that a librarian delegated to, on the event `librarian.responded`: `["k8s"]`. */
  delegates: "librarian.delegation.to",
  /** Why a hop was delegated to, on the event `librarian.delegation`, only with `recordContent`. */
  reason: "librarian.delegation.reason",
  /** Time limit of a run or a hop in milliseconds, where it has one: `30000`. */
  timeoutMs: "librarian.timeout_ms",
  /** Text of the event `librarian.progress`, only with `recordContent`. */
  message: "librarian.progress.message",
  /** What the hop waited for, on the event `librarian.decision`: `"approval"`. */
  waitKind: "librarian.wait.kind",
  /** How that was answered: `"approved"`. */
  decisionOutcome: "librarian.decision.outcome",
  /** When, in ISO 8601: `"2026-05-04T10:00:00.000Z"`. */
  decidedAt: "librarian.decision.at",
  /** Why a model's reply was not used: the field, and what was expected there. */
  problem: "librarian.ai.problem",
  /** Which call of this librarian for this delegation, from 1: `1`. */
  attempt: "librarian.attempt",
  /** Outcome: `"answer"`, `"partial"`, `"delegate"`, `"error"`, `"cancelled"`, `"refused"`. */
  outcome: "librarian.response.kind",
  /** Confidence of the answer, 0 to 1: `0.8`. */
  confidence: "librarian.confidence",
  /** Number of sources of the answer: `2`. */
  sourcesCount: "librarian.sources.count",
  /** What calls of models cost in US dollars, where every price is known: `0.0031`. */
  costUsd: "librarian.usage.cost_usd",
  /** True where tokens are estimated from the texts, because a service did not report them. */
  usageEstimated: "librarian.usage.estimated",
  /** Id and version of a prompt, on `chat` and on an event about it: `"docs.answer@1f0c9a3b"`. */
  promptId: "librarian.prompt.id",
  /** Number of calls of models: `2`. */
  modelCalls: "librarian.usage.model_calls",
  /** Row of `errorReasons`: `"deadline"`. */
  errorReason: "librarian.error.reason",
  /** True when the caller cancelled, or the fan-out was decided without it. */
  cancelled: "librarian.cancelled",
  /** True when the librarian ignored its abort signal. */
  abandoned: "librarian.abandoned",
  /** Milliseconds for which the librarian blocked the event loop, only from 200 on: `3000`. */
  blockedMs: "librarian.blocked_ms",
  /** Transport of a call between processes: `"nats"`, `"http"`, `"mcp"`, `"a2a"`. */
  carrier: "librarian.carrier",
  /** Name of the machine that a remote hop ran on: `"worker-3"`. */
  remoteHost: "librarian.remote.host",
  /** Why the run ended: `"answered"`. On the run's span. */
  stopReason: "librarian.stop_reason",
  /** Number of branches that failed or were not asked: `1`. */
  missingCount: "librarian.missing.count",
  /** On a link: `"fan_in"`, from a merge to each response it used. */
  linkType: "librarian.link.type",
} as const;

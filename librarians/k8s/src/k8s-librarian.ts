import { defineLibrarian, firstLine, parseOptions, sanitizeText } from "@constellation/authoring";
import {
  type Context,
  type Health,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import { withoutDeniedOrders } from "@constellation/nlu";
import { answerAsked, explainUnmeasured } from "./answer/answer-asked.js";
import { answerSecret } from "./answer/answer-lookup.js";
import { refuse } from "./answer/refuse.js";
import { signalIn } from "./answer/signal-facts.js";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import { createEstimate } from "./estimate.js";
import { investigate } from "./investigate.js";
import { narrowToMatching } from "./matching-findings.js";
import { prepareReader } from "./open-reader.js";
import { type K8sLibrarianOptions, k8sLibrarianDefaults, optionsSchema } from "./options.js";
import { parseLookups } from "./question/asked.js";
import { findDelegate, isInDomain } from "./question/domain.js";
import { reportsFailure } from "./question/lookup.js";
import { measuresIn } from "./question/measures.js";
import { parseQuestion, type Question } from "./question/question.js";
import {
  isElsewhere,
  isOurs,
  mayRepair,
  readRefusal,
  requestLookups,
} from "./question/requested.js";
import type { Target } from "./question/resolve.js";
import { secretIn } from "./question/use-words.js";
import { withReadDeadline } from "./reading/read-deadline.js";

/**
 * Creates a librarian that answers what is wrong in a cluster, from its objects, events and logs.
 *
 * It needs no model, only reads, and never reads a Secret. The answer names causes before what they
 * look like, each with what shows it; `metadata.facts` holds the observed facts, likeliest cause first,
 * one entry `Healthy` when nothing is wrong. With `context.ai` the model words the answer, from the
 * same facts, and is checked. A signal in `context.metadata.signal` is repeated in the facts.
 *
 * A name that fits several things is asked back as `INVALID_QUERY`, with the candidates in
 * `error.details.candidates`, unless the question is about a failure and only one of them fails; one that fits nothing
 * is `NOT_FOUND` (`no-information`). A question out of domain is delegated to the delegate that fits best, else it is
 * `NOT_FOUND` (`out-of-domain`). A cluster that refuses everything is
 * `UNAUTHORIZED`, one that is asked too often `RATE_LIMITED`, one that is down `DATA_SOURCE_ERROR`; when
 * only a part is missing the answer is partial and names it.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createK8sLibrarian(
  options: K8sLibrarianOptions = {},
): LibrarianDefinition<Librarian> {
  const checked = parseOptions(optionsSchema, options);
  const {
    reader: _,
    snapshot,
    kubeconfig,
    context: __,
    namespaces,
    kinds,
    actAsUser,
    runbooks,
    ...given
  } = checked;
  const id = given.id ?? k8sLibrarianDefaults.id;
  const opened = prepareReader(checked);

  const details = {
    capabilities: ["kubernetes.facts"],
    examples: [
      "Why does checkout keep restarting?",
      "What is wrong in production?",
      "Which pods are pending, and why?",
    ],
    ...given,
    id,
    description: given.description ?? k8sLibrarianDefaults.description,
    close: () => opened.close(),
    health: async (signal?: AbortSignal) => checkReader(await opened.current(), signal),
  };
  const own = [details.description, ...(details.examples ?? [])];
  // As the user of a run the cluster may show other names.
  const estimate = actAsUser === true ? undefined : createEstimate(() => opened.current(), own);
  const canAnswer = estimate && { canAnswer: estimate };
  return defineLibrarian({ ...details, ...canAnswer }, async (query, context) => {
    const response = await respond(query, context, {
      id,
      opened: async () => readerFor(await opened.current(), actAsUser === true, context),
      runbooks,
      signal: context.signal,
    });
    const { answer, headline } = response;
    return answer === undefined || headline !== undefined
      ? response
      : { ...response, headline: firstLine(answer) };
  });
}

/**
 * The reader of one query.
 *
 * @throws MeshError `UNAUTHORIZED` when it must act as the user of a run, and there is none, or one whose id
 *   or team begins with `system:`: these names are the cluster's own, such as `system:masters`.
 */
function readerFor(reader: ClusterReader, actAsUser: boolean, { user }: Context): ClusterReader {
  if (!actAsUser) return reader;
  if (user === undefined || reader.actingAs === undefined) {
    throw new MeshError("UNAUTHORIZED", "`actAsUser` needs `context.user`, which is missing.", {
      suggestion: "Give the run a user.",
    });
  }
  const { id, teams } = user;
  if ([id, ...(teams ?? [])].some((name) => /^\s*system:/i.test(name))) {
    throw new MeshError(
      "UNAUTHORIZED",
      "`actAsUser` never acts as a user or group of the cluster itself: the id of the user, or one of the teams, begins with `system:`.",
      { suggestion: "Give the run a user whose id and teams do not begin with `system:`." },
    );
  }
  return reader.actingAs({ user: id, groups: teams });
}

interface Work {
  readonly id: string;
  readonly opened: () => Promise<ClusterReader>;
  readonly runbooks: string | undefined;
  readonly signal: AbortSignal;
}

async function respond(
  asked: string,
  context: Context,
  { id, opened, runbooks, signal }: Work,
): Promise<Response> {
  const query = withoutDeniedOrders(sanitizeText(asked));
  const parsed = parseQuestion(query);
  const refusal = readRefusal(parsed);
  if (refusal !== undefined) return refuse(refusal);
  const given = signalIn(context.metadata);
  // "How do I fix checkout?" asks a runbook; for a caller that wants facts it asks how checkout is.
  const wantsFacts = context.metadata?.wants === "facts";
  const question = wantsFacts ? { ...parsed, isHowTo: false } : parsed;
  const isForUs =
    isInDomain(question) || isOurs(question) || (given !== undefined && !question.isHowTo);
  // A procedure is another librarian's, where one fits; here it is how to repair what fails.
  const isProcedure = !isForUs && question.isHowTo;
  const isUnfit = !wantsFacts && given === undefined && isElsewhere(question);
  if (
    (isProcedure || isUnfit) &&
    (!mayRepair(question) || hasDelegate(question.query, context, id))
  )
    return outOfDomain(question.query, context, id);
  const whole = await opened();
  signal.throwIfAborted();
  context.report?.("reading the cluster");
  const { reader, close } = withReadDeadline(whole, context.remainingMs?.(), signal);
  try {
    return await answerWith(reader);
  } finally {
    close();
  }

  async function answerWith(reader: ClusterReader): Promise<Response> {
    const first = await investigate(withSignal(question, given), reader, {
      signal,
      withUsage: usesMetrics(question, given),
    });
    // What names nothing may report, in its own words, something that fails here.
    const mayMatch =
      !isForUs && first.target.kind === "all" && reportsFailure(question.query) && !isProcedure;
    const found = (mayMatch ? narrowToMatching(first) : undefined) ?? first;
    const { target } = found;
    const secret =
      wantsFacts || given !== undefined ? undefined : answerSecret(found, reader.describe());
    const isOfUsers = parseLookups(question).lookups.some(({ lookup }) => lookup === "users");
    if (secret !== undefined && !isOfUsers) return secret;
    if (target.kind === "ambiguous") throw ambiguous(target);
    // A question without names or words of a cluster is for another librarian.
    const isPlace = found.namespace !== undefined && target.kind === "all";
    const isNear = target.kind === "unknown" && target.near.length > 0;
    if (!isForUs && target.kind !== "objects" && !isPlace && !isNear)
      return outOfDomain(question.query, context, id);
    if (isProcedure && !found.findings.some(({ current }) => current))
      return outOfDomain(question.query, context, id);
    const asked =
      wantsFacts || given !== undefined || isProcedure
        ? { lookups: [], isDiagnosis: true, mayBeField: false, isComputable: false }
        : requestLookups(question, target.kind === "objects" ? target.objects : []);
    // A Secret is not read: what uses it is known all the same.
    const isSecret =
      asked.lookups.some(({ lookup }) => lookup === "users") &&
      secretIn(question.query) !== undefined;
    const isMeasured = explainUnmeasured(found) !== undefined;
    if (target.kind === "unknown" && !isSecret && !isMeasured)
      throw notFound(target, reader.describe());
    return answerAsked(found, asked, {
      reader,
      question,
      context,
      signal,
      source: reader.describe(),
      given,
      runbooks,
    });
  }
}

function ambiguous({ name, candidates: found }: Extract<Target, { kind: "ambiguous" }>): MeshError {
  const candidates = found.map((one) =>
    [one.metadata.namespace, one.kind, one.metadata.name]
      .filter((part) => part !== undefined)
      .join("/"),
  );
  return new MeshError(
    "INVALID_QUERY",
    `"${name}" fits several things, and it is unclear which is meant.`,
    {
      suggestion: `Ask again about one of: ${candidates.slice(0, 10).join(", ")}.`,
      details: { candidates: candidates.slice(0, 50) },
    },
  );
}

function notFound({ name, near }: Extract<Target, { kind: "unknown" }>, source: string): MeshError {
  const text = `Nothing in ${source} is named "${name.slice(0, 100)}": it is outside of this cluster, or was not recorded.`;
  return new MeshError("NOT_FOUND", text, {
    reason: "no-information",
    suggestion:
      near.length === 0
        ? "Name an object of this cluster, with its namespace."
        : `Ask about one of these: ${near.join(", ")}.`,
  });
}

/** A signal names its resource and its type, where the query does not. */
function withSignal(question: Question, given: ReturnType<typeof signalIn>): Question {
  if (given === undefined || question.names.length > 0 || question.resource !== undefined)
    return question;
  const { namespace, resource_name: name } = given;
  return {
    ...question,
    namespace: question.namespace ?? (typeof namespace === "string" ? namespace : undefined),
    names: typeof name === "string" && name !== "" ? [name] : [],
  };
}

/** Metrics are read when the signal comes from them, or when the question is about what they measure. */
function usesMetrics({ signals, query }: Question, given: ReturnType<typeof signalIn>): boolean {
  const source = given?.signal_source;
  if (typeof source === "string") return /prometheus/i.test(source);
  if (measuresIn(query).length > 0) return true;
  return ["OOMKilled", "NodePressure", "HPAMaxedOut"].some((signal) =>
    signals.has(signal as "OOMKilled"),
  ); // names of signal types
}

function outOfDomain(query: string, { availableDelegates = [] }: Context, id: string): Response {
  const delegate = findDelegate(query, availableDelegates, id);
  if (delegate !== undefined) return { delegate };
  throw new MeshError("NOT_FOUND", "The question is not about the state of a cluster.", {
    reason: "out-of-domain",
    suggestion:
      "Ask what is wrong with a workload, a namespace or a node, or ask another librarian.",
  });
}

function hasDelegate(query: string, { availableDelegates = [] }: Context, id: string): boolean {
  return findDelegate(query, availableDelegates, id) !== undefined;
}

async function checkReader(reader: ClusterReader, signal?: AbortSignal): Promise<Health> {
  const { problem } = await reader.list("Namespace", { signal });
  if (problem === undefined || problem.code === "notRecorded")
    return { status: "up", message: `Reads ${reader.describe()}.` };
  const isPartly =
    problem.code === "forbidden" || problem.code === "notAllowed" || problem.code === "tooLarge";
  return {
    status: isPartly ? "degraded" : "down",
    message: `Namespaces could not be read: ${problem.code}.`,
  };
}

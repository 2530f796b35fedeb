import type { Response } from "@constellation/core";
import { readQuestion } from "@constellation/nlu";
import type { Investigation } from "../investigation.js";
import type { LookupScope } from "../query/lookup-scope.js";
import type { Query } from "../query/query.js";
import { runQuery } from "../query/run-query.js";
import type { Lookup } from "../question/lookup.js";
import { withoutName } from "../question/namespace.js";
import { parseQuestion, type Question } from "../question/question.js";
import { secretIn } from "../question/use-words.js";
import { toWords } from "../question/words.js";
import { changesSince } from "./changes.js";
import { cannotTell, type LookedUp, writeLookedUp } from "./forms.js";
import { healthyLines } from "./healthy-lines.js";
import { runLookup } from "./lookups.js";
import { unsortedBy } from "./unsorted.js";
import { listSecretNames } from "./use-lines.js";

const monthMs = 30 * 86_400_000;
/** Maximum number of changes that are named for a question about who made one. */
const maxChanges = 5;

/** Where a question, or its clause, looks something up. */
function scopeOf(found: Investigation, query: string): LookupScope {
  const { view, findings, aside, objects, scope, subject, kindsAsked, periodMs, namespace } = found;
  return {
    view,
    subject,
    objects: scope,
    named: objects,
    kinds: kindsAsked,
    names: narrowQuestion(found, query).names,
    findings: [...findings, ...aside],
    periodMs,
    query,
    namespace,
  };
}

/** The question, or its clause that asks for a lookup. */
function narrowQuestion({ question, namespace }: Investigation, query: string): Question {
  return query === question.query ? question : withoutName(parseQuestion(query), namespace);
}

/** Looks up what a question, or its clause, asks for. */
export function runLookupFor(
  found: Investigation,
  lookup: Exclude<Lookup, "logs">,
  query: string,
): LookedUp {
  const result = runLookup(lookup, scopeOf(found, query));
  if (lookup !== "list" && lookup !== "count") return result;
  const question = narrowQuestion(found, query);
  const used = [...(result.by ?? []), ...(result.shown ?? [])];
  const unbound = unsortedBy({ ...found, question }, used);
  if (unbound.length === 0) return result;
  // What is not sorted out by a word of the question is another list than the one that it asks for.
  const words = unbound.map((word) => `"${word}"`).join(", ");
  return {
    ...result,
    head: `I could not tell what ${words} ${unbound.length === 1 ? "means" : "mean"} here; without that it would be ${result.head}`,
    lines: [],
    isUnread: true,
  };
}

/** Answers a question that is computed from fields. */
export function answerQuery(found: Investigation, query: Query, source: string): Response {
  return writeLookedUp(
    query.output.to,
    runQuery(query, scopeOf(found, found.question.query)),
    found,
    source,
  );
}

/** Says what cannot be told, and why; of a question about a person, what was changed. */
export function answerUnknown(
  found: Investigation,
  { what, why, isOfPerson = false, isOfState = false }: Untellable,
  source: string,
): Response {
  const { objects, view, scope } = found;
  const changes = isOfPerson ? changesSince(view.now - monthMs, scope, view) : [];
  const lines = [
    ...changes.slice(0, maxChanges).map(({ object: of, at, text }) => ({ of, at, text })),
    ...(isOfState ? healthyLines(objects.slice(0, 1), view) : []),
  ];
  return writeLookedUp(
    "unknown",
    { ...cannotTell(what, why, false), lines, objects },
    found,
    source,
  );
}

/** What a question asks for that nothing which is read holds. */
export interface Untellable {
  readonly what: string;
  readonly why: string;
  readonly isOfPerson?: boolean;
  /** True where the state of what is asked about may say it. */
  readonly isOfState?: boolean;
}

/** What a question asks of a Secret, where it names nothing that was read: which there are, or what is in one. */
export function answerSecret(found: Investigation, source: string): Response | undefined {
  const { question, target, view, namespace } = found;
  const { act } = readQuestion(question.query);
  if (target.kind === "objects" || act === "why" || act === "report") return undefined;
  const known = listSecretNames(view, namespace);
  const isList = toWords(question.query.toLowerCase()).includes("secrets");
  const name =
    question.names.find((one) => known.has(one)) ?? (isList ? undefined : secretIn(question.query));
  if (name === undefined && !isList) return undefined;
  const users =
    name === undefined ? undefined : runLookupFor(found, "users", `what uses secret ${name}`);
  const place = namespace === undefined ? "the cluster" : `namespace ${namespace}`;
  const result =
    name === undefined
      ? cannotTell(
          `Which Secrets ${place} has`,
          `Secrets are never read; what was read names ${known.size === 0 ? "none" : known.size}`,
          false,
        )
      : cannotTell(
          `What is in Secret ${name}, and whether it still works,`,
          "Secrets are never read",
          false,
        );
  return writeLookedUp(
    "unknown",
    {
      ...result,
      lines: users?.lines ?? [...known].sort().map((of) => ({ of })),
      objects: users?.objects ?? [],
      by: [],
    },
    found,
    source,
  );
}

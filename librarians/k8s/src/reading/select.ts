import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterReading } from "../diagnosis/cluster-view.js";
import { readClaims } from "../question/claims.js";
import type { Question } from "../question/question.js";
import { requestLookups } from "../question/requested.js";
import { collect, primaryKinds } from "./collect.js";

/** Kinds of which a namespace holds few, and none of which can be selected by what it bears on. */
const around: readonly KindName[] = [
  "NetworkPolicy",
  "ResourceQuota",
  "Service",
  "HorizontalPodAutoscaler",
  "PodDisruptionBudget",
];

/** Maximum number of words of a question that are tried as names. */
const maxNames = 3;

/** What to read selectively for. */
export interface SelectionOptions {
  readonly namespace: string | undefined;
  /** Kinds that the question names. */
  readonly asked: readonly KindName[];
  readonly namespaces: readonly KubernetesObject[];
  readonly withUsage: boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads the one object that a question names with its kind or by its whole name, what it belongs to and what
 * belongs to it, their events, what they reference, and what bears on them.
 *
 * @returns Undefined where the question is about more, or where nothing has exactly that name: then everything
 *   of the kinds that bear on it is to be read.
 */
export async function readSelected(
  question: Question,
  reader: ClusterReader,
  options: SelectionOptions,
): Promise<ClusterReading | undefined> {
  if (!isAboutOne(question, options.asked)) return undefined;
  const head = await findResource(question, reader, options);
  if (head === undefined) return undefined;
  const { signal, withUsage, namespaces } = options;
  const found = collect(reader, head.metadata.namespace ?? "default", signal);
  const [isWhole] = await Promise.all([
    found.family(head),
    ...around.map((kind) => found.listAll(kind)),
  ]);
  if (!isWhole) return undefined;
  await Promise.all([found.references(), found.slices(), found.events(head)]);
  if (withUsage) await found.usage();
  signal.throwIfAborted();
  return found.reading(namespaces, reader.now());
}

/** True for a question about one thing, whose answer does not lie in others. */
function isAboutOne(question: Question, asked: readonly KindName[]): boolean {
  const { calls, names, reach } = readClaims(question.query);
  const isState = requestLookups(question).lookups.every(({ lookup }) =>
    ["fields", "images", "events", "logs", "needs"].includes(lookup),
  );
  return (
    isState &&
    !calls &&
    !names &&
    !reach &&
    question.labels.length === 0 &&
    question.kinds.every(({ isPlural }) => !isPlural) &&
    asked.every((kind) => primaryKinds.includes(kind))
  );
}

/** The only object of these kinds that has exactly a name of the question. */
async function findResource(
  question: Question,
  reader: ClusterReader,
  { namespace, asked, signal }: SelectionOptions,
): Promise<KubernetesObject | undefined> {
  const kinds = asked.length > 0 ? asked : primaryKinds;
  const names = [question.demanded, question.resource?.name, question.subject, ...question.names]
    .filter((name) => name !== undefined)
    .filter((name) => name !== namespace && /^[a-z0-9][a-z0-9.-]{0,252}$/.test(name));
  const wanted = [...new Set(names)];
  // Further words may name further objects.
  if (wanted.length > maxNames) return undefined;
  const lists = await Promise.all(
    wanted.flatMap((name) =>
      kinds.map(async (kind) => {
        if (namespace === undefined) return reader.list(kind, { name, signal });
        const { object, problem } = await reader.get(kind, namespace, name, { signal });
        return { items: object === undefined ? [] : [object], problem };
      }),
    ),
  );
  signal.throwIfAborted();
  const isSure = lists.every(
    ({ problem }) => problem === undefined || /^not(?:Found|Recorded)$/.test(problem.code),
  );
  const [only, ...others] = lists.flatMap(({ items }) => items);
  return isSure && others.length === 0 ? only : undefined;
}

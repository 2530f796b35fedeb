import type { ClusterReader, ListResult } from "./cluster/cluster-reader.js";
import { isKindName, type KindName } from "./cluster/kinds.js";
import { type ClusterReading, type ClusterView, createView } from "./diagnosis/cluster-view.js";
import {
  namespacesIn,
  onlyIn,
  resolveNamespace,
  toNames,
  withoutName,
} from "./question/namespace.js";
import type { Question } from "./question/question.js";
import { resolveTarget, type Target } from "./question/resolve.js";
import { gather } from "./reading/gather.js";
import { plannedFor } from "./reading/plan.js";
import { readSelected } from "./reading/select.js";

/** What was read for a question so far, and what the question names in it. Reads more when it is asked to. */
export interface Surroundings {
  readonly namespaces: ListResult;
  readonly namespace: string | undefined;
  /** Kinds the question names. */
  readonly asked: readonly KindName[];
  /** The question, without its namespace among its names. */
  readonly named: Question;
  /** What is replaced when more is read. */
  readonly now: {
    readonly reading: ClusterReading;
    readonly view: ClusterView;
    readonly target: Target;
    readonly kinds: readonly KindName[];
  };
  /** Reads more kinds, and looks again. */
  widen(more: readonly KindName[]): Promise<void>;
  /** Reads everything of the kinds that were read for one object only. */
  widenPartly(): Promise<void>;
  /** Sets the objects that the question means, whatever is read later. */
  pin(target: Target): void;
}

/** How to read. */
export interface SurroundingsOptions {
  readonly signal: AbortSignal;
  readonly withUsage: boolean;
  /** False for a question whose object was found in another way. */
  readonly maySelect: boolean;
  /** Namespaces that the question is about. Empty: the word of a namespace is not taken for one. */
  readonly places?: readonly string[] | undefined;
}

/** Reads what a question needs: one object with what belongs to it, or everything of the kinds that bear on it. */
export async function openSurroundings(
  question: Question,
  reader: ClusterReader,
  { signal, withUsage, maySelect, places }: SurroundingsOptions,
): Promise<Surroundings> {
  const namespaces = await reader.list("Namespace", { signal });
  signal.throwIfAborted();
  let namespace =
    places === undefined ? resolveNamespace(question, toNames(namespaces.items)) : undefined;
  // "Deployments in claims": a namespace may have the name of a kind.
  const asked = kindsAsked({
    ...question,
    kinds: question.kinds.filter(({ text }) => text !== namespace),
  });
  const planned = plannedFor(question, asked);
  const before = new Map([["Namespace", namespaces.items] as const]);
  const options = { signal, withUsage, names: question.names };
  const selected =
    maySelect && reader.isSelective === true
      ? await readSelected(question, reader, {
          namespace,
          asked,
          namespaces: namespaces.items,
          withUsage,
          signal,
        })
      : undefined;
  let reading: ClusterReading =
    selected ?? (await gather(reader, { ...options, namespace, kinds: planned, before }));
  if (selected !== undefined) namespace = selected.namespace;
  if (namespaces.problem !== undefined)
    reading = {
      ...reading,
      problems: new Map([...reading.problems, ["Namespace", namespaces.problem]]),
    };
  if (namespace === undefined && namespaces.items.length === 0 && places === undefined) {
    // Where namespaces cannot be listed, those of the objects are known.
    namespace = resolveNamespace(question, namespacesIn(reading));
    if (namespace !== undefined) reading = onlyIn(reading, namespace);
  }
  const named = withoutName(question, namespace);
  const meant = namespaces.items.filter(({ metadata }) => places?.includes(metadata.name));
  let pinned: Target | undefined =
    meant.length === 0 ? undefined : { kind: "objects", objects: meant, guessed: false };
  const lookAt = (read: ClusterReading, kinds: readonly KindName[]) => {
    const view = createView(read);
    return { reading: read, view, kinds, target: pinned ?? resolveTarget(named, view) };
  };
  let now = lookAt(reading, selected === undefined ? planned : [...selected.objects.keys()]);
  return {
    namespaces,
    namespace,
    asked,
    named,
    get now() {
      return now;
    },
    async widen(more) {
      const kinds = [...new Set([...now.kinds, ...more])];
      const { objects, events, partly, problems } = now.reading;
      const wider = await gather(reader, { ...options, namespace, kinds, before: objects, events });
      now = lookAt(
        { ...wider, partly, problems: new Map([...problems, ...wider.problems]) },
        kinds,
      );
    },
    async widenPartly() {
      const { objects, partly, usage } = now.reading;
      const whole = new Map([...objects].filter(([kind]) => partly?.has(kind) !== true));
      const kinds = [...new Set([...now.kinds, ...planned])];
      const wider = await gather(reader, {
        ...options,
        namespace,
        kinds,
        before: whole,
        withUsage: false,
      });
      now = lookAt({ ...wider, usage }, kinds);
    },
    pin(target) {
      pinned = target;
      now = { ...now, target };
    },
  };
}

/** Kinds that a question names, that of a resource it names first. */
function kindsAsked({ kinds, resource }: Question): readonly KindName[] {
  const mentioned = [...new Set(kinds.flatMap((one) => one.kinds))];
  return resource !== undefined && isKindName(resource.kind)
    ? [resource.kind, ...mentioned]
    : mentioned;
}

import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
} from "@constellation/authoring";
import { z } from "zod";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import { isKindName, kindNames } from "./cluster/kinds.js";

/** Options for {@link createK8sLibrarian}. At most one of `reader`, `snapshot` and the live ones; none reads what `kubectl` would. */
export interface K8sLibrarianOptions extends LibrarianOptions {
  /** Reads the cluster: any object with `list`, `get`, `events`, `logs`, `usage`, `now` and `describe`. */
  readonly reader?: ClusterReader | undefined;
  /** File or folder that `kubectl get -o json|yaml` or `kubectl cluster-info dump` wrote. Read at the first query. */
  readonly snapshot?: string | undefined;
  /** Path of a kubeconfig file. @default what `kubectl` would use, or the pod's service account */
  readonly kubeconfig?: string | undefined;
  /** Name of a context in it. @default its current one */
  readonly context?: string | undefined;
  /** Namespaces that may be read. @default all */
  readonly namespaces?: readonly string[] | undefined;
  /** Kinds that may be read, as a manifest spells them, and `Event`, `log` and `usage`. @default all */
  readonly kinds?: readonly string[] | undefined;
  /**
   * Reads as the user of the run: `context.user.id`, with `teams` as groups. The run must have a user,
   * and the cluster must allow it. Snapshots do not support it. A user or team whose name begins with `system:` is refused.
   *
   * @default false
   */
  readonly actAsUser?: boolean | undefined;
  /**
   * Id of a librarian that knows what to do about a cause, such as one of runbooks. It is asked about
   * the likeliest one, and its answer is added below. @default none
   */
  readonly runbooks?: string | undefined;
  /** What it answers, so that others can find it. @default a sentence about workloads, volumes and nodes */
  readonly description?: string | undefined;
  /** Unique in its router: `^[a-z0-9-]+$`, at most 64 characters. @default "k8s" */
  readonly id?: string | undefined;
}

/** The defaults named in {@link K8sLibrarianOptions}. */
export const k8sLibrarianDefaults = {
  id: "k8s",
  description:
    "Answers what is wrong in a Kubernetes cluster, and why, from its objects, events and logs: crashing, pending and unready pods, stuck rollouts, jobs, volumes, services, nodes.",
} as const satisfies Partial<K8sLibrarianOptions>;

const otherSubjects = ["Event", "log", "usage"] as const;

const shape = {
  ...librarianOptionFields,
  reader: optionField
    .port<ClusterReader>("list", "get", "events", "logs", "usage", "now", "describe")
    .optional(),
  snapshot: optionField.path("the path of a file or folder").optional(),
  kubeconfig: optionField.path("the path of a kubeconfig file").optional(),
  context: optionField.text("the name of a context").optional(),
  namespaces: optionField
    .list(
      optionField.matching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, "the name of a namespace"),
      "an array of namespaces",
    )
    .optional(),
  kinds: optionField
    .list(
      z.string("expected a kind").refine(isReadable, {
        error: `expected a kind that can be read: ${[...kindNames, ...otherSubjects].join(", ")}`,
      }),
      "an array of kinds",
    )
    .optional(),
  actAsUser: optionField.flag().optional(),
  runbooks: optionField.id().optional(),
};

function isReadable(kind: string): boolean {
  return isKindName(kind) || otherSubjects.some((one) => one === kind);
}

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<K8sLibrarianOptions> = z
  .strictObject(shape)
  .refine(
    ({ reader, snapshot, kubeconfig, context }) =>
      [reader, snapshot, kubeconfig ?? context].filter((one) => one !== undefined).length <= 1,
    {
      path: ["reader"],
      error: "expected only one of `reader`, `snapshot` and `kubeconfig` (or `context`)",
    },
  )
  .refine(
    ({ runbooks, delegatesTo }) =>
      runbooks === undefined || delegatesTo === undefined || delegatesTo.includes(runbooks),
    { path: ["runbooks"], error: "expected one of `delegatesTo`" },
  )
  .refine((options) => !cannotAct(options), {
    path: ["actAsUser"],
    error: "expected a live cluster, or a reader with actingAs",
  });

/** True for options whose reader cannot act as another party. */
function cannotAct({ actAsUser, reader, snapshot }: K8sLibrarianOptions): boolean {
  return (
    actAsUser === true &&
    (snapshot !== undefined || (reader !== undefined && reader.actingAs === undefined))
  );
}

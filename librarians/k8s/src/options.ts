import { z } from "zod";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import { isKindName, kindNames } from "./cluster/kinds.js";

/** Options for {@link createK8sLibrarian}. At most one of `reader`, `snapshot` and the live ones; none reads what `kubectl` would. */
export interface K8sLibrarianOptions {
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
   * Reads as whoever asks: `context.user.id`, with `teams` as groups. Who asks must be known, and the
   * cluster must allow it; a snapshot cannot.
   *
   * @default false
   */
  readonly actAsUser?: boolean | undefined;
  /**
   * Id of a librarian that knows what to do about a cause, such as one of runbooks. It is asked about
   * the likeliest one, and its words stand below the answer. @default nobody is asked
   */
  readonly runbooks?: string | undefined;
  /** Unique in its router: `^[a-z0-9-]+$`, at most 64 characters. @default "k8s" */
  readonly id?: string | undefined;
  /** What it can answer: how others find it. */
  readonly description?: string | undefined;
  /** For people. The id where there is none. */
  readonly name?: string | undefined;
  /** Who owns the cluster. */
  readonly team?: string | undefined;
  /** Ids it may delegate a foreign question to. None given: anyone; empty: nobody. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Most time for one call, in milliseconds: 1 to 2147483647. What remains of the run, where not given. */
  readonly timeoutMs?: number | undefined;
}

/** The defaults named in {@link K8sLibrarianOptions}. */
export const k8sLibrarianDefaults = {
  id: "k8s",
  description:
    "Answers what is wrong in a Kubernetes cluster, and why, from its objects, events and logs: crashing, pending and unready pods, stuck rollouts, jobs, volumes, services, nodes.",
} as const satisfies Partial<K8sLibrarianOptions>;

const otherSubjects = ["Event", "log", "usage"] as const;

const shape = {
  reader: z
    .custom<ClusterReader>(
      isReader,
      "expected an object with list, get, events, logs, usage, now and describe",
    )
    .optional(),
  snapshot: text("the path of a file or folder").meta({ format: "path" }).optional(),
  kubeconfig: text("the path of a kubeconfig file").meta({ format: "path" }).optional(),
  context: text("the name of a context").optional(),
  namespaces: z
    .array(matching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/), "expected an array of namespaces")
    .optional(),
  kinds: z
    .array(
      z
        .string("expected a kind")
        .refine((kind) => isKindName(kind) || otherSubjects.some((one) => one === kind), {
          error: `expected a kind that can be read: ${[...kindNames, ...otherSubjects].join(", ")}`,
        }),
      "expected an array of kinds",
    )
    .optional(),
  actAsUser: z.boolean("expected true or false").optional(),
  runbooks: matching(/^[a-z0-9-]{1,64}$/).optional(),
  id: matching(/^[a-z0-9-]{1,64}$/).optional(),
  description: text("a sentence about the cluster").optional(),
  name: text("a name").optional(),
  team: text("a name").optional(),
  delegatesTo: z.array(matching(/^[a-z0-9-]{1,64}$/), "expected an array of ids").optional(),
  timeoutMs: z
    .number("expected a number from 1 to 2147483647")
    .min(1, "expected a number from 1 to 2147483647")
    .max(2_147_483_647, "expected a number from 1 to 2147483647")
    .optional(),
};

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

/** True for options whose reader cannot act as somebody else. */
function cannotAct({ actAsUser, reader, snapshot }: K8sLibrarianOptions): boolean {
  return (
    actAsUser === true &&
    (snapshot !== undefined || (reader !== undefined && reader.actingAs === undefined))
  );
}

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): K8sLibrarianOptions {
  const checked = optionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue === undefined || (issue.path.length === 0 && issue.code === "invalid_type")) {
    throw new TypeError(`options: expected an object, got ${describe(options)}.`);
  }
  if (issue.code === "unrecognized_keys") {
    throw new TypeError(
      `options: unknown key ${describe(issue.keys[0])}. Known are ${Object.keys(shape).join(", ")}.`,
    );
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    options,
  ); // a path zod walked before
  const isRange =
    typeof value === "string" || (typeof value === "number" && issue.code !== "invalid_type");
  const kind = isRange && issue.code !== "invalid_type" ? RangeError : TypeError;
  throw new kind(`${issue.path.join(".")}: ${issue.message}, got ${describe(value)}.`);
}

function text(what: string) {
  const error = `expected ${what}`;
  return z.string(error).refine((value) => value.trim() !== "", error);
}

function matching(form: RegExp) {
  const error = `expected ${form.source}`;
  return z.string(error).regex(form, error);
}

function isReader(value: unknown): boolean {
  const reader = (value ?? {}) as Partial<Record<keyof ClusterReader, unknown>>;
  return (["list", "get", "events", "logs", "usage", "now", "describe"] as const).every(
    (key) => typeof reader[key] === "function",
  );
}

/** Names a wrong value, in at most 60 characters. */
function describe(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "number" || typeof value === "boolean" || value == null)
    return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

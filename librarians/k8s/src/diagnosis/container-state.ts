import type { KubernetesObject } from "../cluster/cluster-reader.js";
import {
  booleanAt,
  listAt,
  numberAt,
  recordAt,
  textAt,
  timeAt,
  type UnknownRecord,
} from "../cluster/fields.js";

/** Maximum number of characters of a reason and of a message that are looked at. */
const maxReason = 200;
const maxMessage = 4_000;

/** How a container ended. */
export interface Termination {
  readonly reason: string;
  readonly message: string;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** Where it stands, below the container's own path: `state.terminated`. */
  readonly path: string;
}

/** One container of a pod, as its status and its spec say. */
export interface ContainerState {
  /** Empty where the status has none. */
  readonly name: string;
  /** `status.containerStatuses[0]`. */
  readonly path: string;
  /** True for one that must end before the others start. */
  readonly isInit: boolean;
  readonly ready: boolean | undefined;
  readonly started: boolean | undefined;
  readonly restarts: number;
  readonly image: string | undefined;
  readonly waiting: { readonly reason: string; readonly message: string } | undefined;
  readonly runningSince: number | undefined;
  readonly isRunning: boolean;
  readonly terminated: Termination | undefined;
  /** The run before this one. */
  readonly last: Termination | undefined;
  readonly spec: UnknownRecord;
}

/** Every container that a pod's status reports, init containers first. */
export function readContainers(pod: KubernetesObject): readonly ContainerState[] {
  return [
    ...readStates(pod, "initContainerStatuses", "initContainers"),
    ...readStates(pod, "containerStatuses", "containers"),
  ];
}

function readStates(pod: KubernetesObject, statuses: string, specs: string): ContainerState[] {
  return listAt(pod, "status", statuses).map((status, index) => {
    const name = textAt(status, "name") ?? "";
    const spec = recordAt(listAt(pod, "spec", specs).find((one) => textAt(one, "name") === name));
    const waiting = recordAt(status, "state", "waiting");
    const state = recordAt(status, "state");
    return {
      name,
      path: `status.${statuses}[${index}]`,
      // A sidecar is an init container that keeps running.
      isInit: specs === "initContainers" && spec.restartPolicy !== "Always",
      ready: booleanAt(status, "ready"),
      started: booleanAt(status, "started"),
      restarts: numberAt(status, "restartCount") ?? 0,
      image: textAt(spec, "image") ?? textAt(status, "image"),
      waiting:
        state.waiting === undefined || state.waiting === null
          ? undefined
          : {
              reason: (textAt(waiting, "reason") ?? "").slice(0, maxReason),
              message: (textAt(waiting, "message") ?? "").slice(0, maxMessage),
            },
      isRunning: state.running !== undefined && state.running !== null,
      runningSince: timeAt(status, "state", "running", "startedAt"),
      terminated: readTermination(status, "state"),
      last: readTermination(status, "lastState"),
      spec,
    };
  });
}

function readTermination(status: unknown, field: "state" | "lastState"): Termination | undefined {
  const found = recordAt(status, field, "terminated");
  if (Object.keys(found).length === 0) return undefined;
  return {
    reason: textAt(found, "reason") ?? "",
    message: (textAt(found, "message") ?? "").slice(0, maxMessage),
    exitCode: numberAt(found, "exitCode"),
    signal: numberAt(found, "signal"),
    startedAt: timeAt(found, "startedAt"),
    finishedAt: timeAt(found, "finishedAt"),
    path: `${field}.terminated`,
  };
}

/** `container web`, or `a container` where its name is not known. */
export function describeContainer({ name, isInit }: ContainerState): string {
  const what = isInit ? "init container" : "container";
  return name === "" ? `an unnamed ${what}` : `${what} ${name}`;
}

/** `exit code 1 (Error)`. */
export function describeTermination({ exitCode, reason, signal }: Termination): string {
  const code = exitCode === undefined ? "" : `exit code ${exitCode}`;
  const killed =
    exitCode === 137
      ? "SIGKILL"
      : exitCode === 143
        ? "SIGTERM"
        : signal === undefined || signal === 0
          ? ""
          : `signal ${signal}`;
  const more = [reason, killed].filter((part) => part !== "").join(", ");
  if (code === "") return more === "" ? "no exit code" : `reason ${more}`;
  return more === "" ? code : `${code} (${more})`;
}

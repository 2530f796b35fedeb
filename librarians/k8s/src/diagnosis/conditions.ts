import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import { type Evidence, fieldEvidence } from "./evidence.js";

/** A condition of an object, and where it is. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly path: string;
  /** Epoch milliseconds of its last change, where it is known. */
  readonly at: number | undefined;
}

/** Condition types that name a failure, so that True is bad: `DiskPressure`, `KernelDeadlock`, `SyncFailed`. */
const badWhenTrue =
  /(?:Pressure|Unavailable|Failed|Failure|Failing|Errors?|Degraded|Stalled|Unhealthy|Conflict|Conflicted|Invalid|Denied|Blocked|Missing|Expired|Stuck|Deadlock|Problem|Hung|Lost|Exceeded|NotReady|Rejected|Infeasible|Misconfigured|Paused|Fallback)$|^(?:CatalogSourcesUnhealthy|ReadonlyFilesystem|ReadOnly|Frequent|Corrupt|PartiallyInvalid|InvalidRequest|BundleUnpackFailed)/;
/** Condition types that name a good state, so that anything but True is bad. */
const badUnlessTrue =
  /(?:Ready|Available|Healthy|Accepted|Programmed|Synced|Established|Reconciled|Bound|Succeeded|Valid|Installed|Initialized|Reachable|Connected|Online|Approved|ResolvedRefs|Provisioned|Released|Deployed|Attached|Configured|Verified|Validated)$/;

/** True for a condition that says that something is wrong, judged by its type's own name alone. */
export function isBadCondition({ type, status }: Pick<Condition, "type" | "status">): boolean {
  // Some list only what is wrong, and give it no status.
  if (badWhenTrue.test(type)) return status === "True" || status === "";
  return badUnlessTrue.test(type) && (status === "False" || status === "Unknown");
}

/** Words of a reason or a message that tell of a failure. */
const failing =
  /fail|error|invalid|denied|forbidden|unauthori[sz]ed|not ?found|unable|can(?:no|')t|refus|exceed|abort|conflict|unsupported|mismatch|expired/i;

/** True for a condition of an unknown type that is not met, and whose own words tell of a failure. */
export function reportsFailure({ status, reason, message }: Condition): boolean {
  return status === "False" && failing.test(`${reason} ${message}`);
}

/** Every condition of an object; of a gateway also those of its listeners, of a route those of its gateways. */
export function listConditions(object: KubernetesObject): readonly Condition[] {
  const within = (list: "listeners" | "parents") =>
    listAt(object, "status", list).flatMap((one, index) =>
      listAt(one, "conditions").map((condition, place) =>
        conditionFrom(condition, `status.${list}[${index}].conditions[${place}]`),
      ),
    );
  return [...ownConditions(object), ...within("listeners"), ...within("parents")];
}

function ownConditions(object: unknown): readonly Condition[] {
  return listAt(object, "status", "conditions").map((one, index) =>
    conditionFrom(one, `status.conditions[${index}]`),
  );
}

/** The first condition of one of these types; of one with `False`, `True` or `Unknown` where statuses are given. */
export function findCondition(
  object: unknown,
  types: string | RegExp,
  statuses?: string,
): Condition | undefined {
  return ownConditions(object).find(
    ({ type, status }) =>
      (typeof types === "string" ? type === types : types.test(type)) &&
      (statuses === undefined || statuses.split("|").includes(status)),
  );
}

/** True for what says that it is not ready. */
export function isUnready(object: unknown): boolean {
  return findCondition(object, "Ready", "False|Unknown") !== undefined;
}

function conditionFrom(value: unknown, path: string): Condition {
  return {
    type: textAt(value, "type") ?? "",
    status: textAt(value, "status") ?? "",
    reason: textAt(value, "reason") ?? "",
    message: textAt(value, "message") ?? "",
    path,
    at: timeAt(value, "lastTransitionTime"),
  };
}

/** `Ready is False (InvalidProviderConfig)` */
export function conditionText({ type, status, reason }: Condition): string {
  return `${type} is ${status}${reason === "" ? "" : ` (${reason})`}`;
}

/** A condition as evidence of its object. */
export function conditionEvidence(object: KubernetesObject, one: Condition): Evidence {
  const { type, status, reason, message, path, at } = one;
  const said = [reason === "" ? "" : `reason ${reason}`, message].filter((part) => part !== "");
  return fieldEvidence(
    object,
    path,
    `${type} ${status}${said.length === 0 ? "" : `, ${said.join(": ")}`}`,
    at,
  );
}

/** Phases and states in which an object of any kind does not work. */
const badPhase =
  /fail|error|lost|unknown|pending|degraded|unhealthy|invalid|expired|notready|not ready|reject|denied|stall|block|abort|crash|unavailable|outofsync|missing|suspend|requiresapproval|inactive|stuck|time[d ]{0,2}out/i;
/** Flags with which an object of any kind reports that it can be used. */
const flags = ["ready", "readyToUse", "healthy", "available", "synced", "connected", "online"];

const phasePaths = [
  ["phase"],
  ["state"],
  ["health"],
  ["operationState", "phase"],
  ["health", "status"],
  ["status"],
  ["result"],
];

/** A phase or state of an object, under the field that has it. */
export interface Phase {
  readonly path: string;
  readonly text: string;
  /** What is said of it beside it. */
  readonly message?: string | undefined;
}

/** The phase or state in which an object says that it does not work. */
export function findBadPhase(object: KubernetesObject): Phase | undefined {
  for (const path of phasePaths) {
    const text = textAt(object, "status", ...path);
    if (text === undefined || !badPhase.test(text)) continue;
    const beside = textAt(object, "status", ...path.slice(0, -1), "message");
    return { path: ["status", ...path].join("."), text, message: beside };
  }
  // `lastError`, `attachError.message`: an error counts where nothing says that all is well.
  const isWell = ownConditions(object).some(
    ({ type, status }) => status === "True" && badUnlessTrue.test(type),
  );
  const errors = Object.entries(recordAt(object, "status")).flatMap(([field, value]) => {
    const text = typeof value === "string" ? value : textAt(value, "message");
    return /error$/i.test(field) && text !== undefined && text !== "" ? [{ field, text }] : [];
  });
  const [error] = errors;
  if (error !== undefined && !isWell)
    return { path: `status.${error.field}`, text: error.field, message: error.text };
  for (const flag of flags)
    if (booleanAt(object, "status", flag) === false)
      return { path: `status.${flag}`, text: "false" };
  return undefined;
}

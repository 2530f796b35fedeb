/** What was observed, from whatever source: no causes, no advice. */
export interface Incident {
  /** Name of the signal: `OOMKilled`, `KubePodCrashLooping`. */
  readonly signalType?: string | undefined;
  readonly severity?: string | undefined;
  /** What the signal, or a person, says about it. Untrusted. */
  readonly message?: string | undefined;
  readonly environment?: string | undefined;
  readonly priority?: string | undefined;
  readonly riskTolerance?: string | undefined;
  readonly businessCategory?: string | undefined;
  /** The object that the signal is about. */
  readonly resource?: IncidentResource | undefined;
  /** What the object belongs to, such as the Deployment of a Pod. */
  readonly owner?: IncidentResource | undefined;
  /** What was observed of it, one finding each: decides over what was reported. Untrusted. */
  readonly observations?: readonly string[] | undefined;
  /** What follows from these, one finding each. Untrusted. */
  readonly symptoms?: readonly string[] | undefined;
  /** Objects that alert and facts name: what a workflow may change. */
  readonly objects?: readonly IncidentResource[] | undefined;
  /** Objects that messages name, such as the Secret that is missing: no workflow changes them for being named. */
  readonly named?: readonly IncidentResource[] | undefined;
  /** Labels that an investigation gave and no one stated. */
  readonly added?: readonly ("priority" | "businessCategory")[] | undefined;
  /** The signal that facts name; the alert's own name where they name none is not one. */
  readonly observedSignal?: string | undefined;
  /** Name and text of the alert, where what was observed names another signal. Untrusted. */
  readonly reported?: string | undefined;
  /** What the object is like, such as `helmManaged: true`; undefined: not known. */
  readonly traits?: Readonly<Record<string, string | boolean>> | undefined;
  /** All that was observed, by key: what parameters are filled from and prerequisites checked against. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** An object of a cluster. */
export interface IncidentResource {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly apiVersion?: string | undefined;
}

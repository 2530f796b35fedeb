/** A remediation workflow as the catalog keeps it. A version of it never changes. */
export interface Workflow {
  /** At most 255 characters. */
  readonly id: string;
  /** As registered, at most 50 characters: `v1.2` and `1.0.0` stay what they are. */
  readonly version: string;
  /** For people; the id where none was given. */
  readonly name: string;
  readonly description: WorkflowDescription;
  /** Values by normalised key, such as `risk_tolerance`; `*` matches any value. */
  readonly labels: Labels;
  /** Signals that it is made for, such as `OOMKilled`; `*` matches any. Not given: any. */
  readonly incidentTypes?: readonly string[] | undefined;
  /** What the incident's object must be like, by the entry's own key, such as `helmManaged`. */
  readonly conditions: Labels;
  /** Facts that must hold, by key, such as `kubernetes.io/os`. */
  readonly prerequisites: Readonly<Record<string, string>>;
  readonly parameters: readonly WorkflowParameter[];
  /** Kind of action, such as `ProvisionNode`. */
  readonly actionType?: string | undefined;
  /** What would run it. Never read here, never shown. */
  readonly content?: unknown;
}

/** Values by key. */
export type Labels = Readonly<Record<string, readonly string[]>>;

/** What a workflow is for. Only `what` is shown to a model. */
export interface WorkflowDescription {
  readonly what: string;
  readonly whenToUse?: string | undefined;
  readonly whenNotToUse?: string | undefined;
  readonly preconditions?: string | undefined;
}

/** Type of a parameter; `float` is another word for `number`. */
export type ParameterType = "string" | "integer" | "number" | "float" | "boolean" | "array";

/** A parameter of a workflow. */
export interface WorkflowParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly enum?: readonly (string | number | boolean)[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Regular expression; more than 1,024 characters or an unsafe one is not applied, with a warning. */
  readonly pattern?: string | undefined;
  readonly default?: unknown;
  /** Parameters that must be given with this one. */
  readonly dependsOn?: readonly string[] | undefined;
}

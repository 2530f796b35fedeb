import { z } from "zod";
import { risks } from "../policy/operating-conditions.js";
import { labelKey } from "../search/labels.js";
import type { Labels, Workflow } from "./workflow.js";

const scalar = z.union(
  [z.string(), z.number(), z.boolean()],
  "expected text, a number or true/false",
);
const nonBlank = (maxLength: number) =>
  z
    .string("expected text")
    .max(maxLength, `expected at most ${maxLength} characters`)
    .refine((text) => text.trim() !== "", "expected text that is not blank");
const words = z.string("expected text").nullish();
const riskValues: readonly string[] = [...risks, "*"];

const labelsSchema = z.record(
  z.string(),
  z.union([scalar, z.array(scalar)], "expected a value or a list of values").nullable(),
  "expected labels by key",
);

const parameterSchema = z.object(
  {
    name: nonBlank(255),
    type: z.enum(
      ["string", "integer", "number", "float", "boolean", "array"],
      "expected string, integer, number, float, boolean or array",
    ),
    required: z.boolean("expected true or false").nullish(),
    description: words,
    enum: z.array(scalar, "expected a list").nullish(),
    minimum: z.number("expected a number").nullish(),
    min: z.number("expected a number").nullish(),
    maximum: z.number("expected a number").nullish(),
    max: z.number("expected a number").nullish(),
    pattern: words,
    default: z.unknown().optional(),
    depends_on: z.array(z.string(), "expected a list of names").nullish(),
  },
  "expected a parameter",
);

/** An entry as it is written. Keys it does not know are left out. */
const entrySchema = z.object(
  {
    workflow_id: nonBlank(255),
    version: nonBlank(50),
    name: nonBlank(255).nullish(),
    description: z.union(
      [
        nonBlank(20_000),
        z.object({
          what: nonBlank(20_000),
          whenToUse: words,
          whenNotToUse: words,
          preconditions: words,
        }),
      ],
      "expected text that is not blank, or an object with `what`",
    ),
    labels: labelsSchema,
    incident_types: z
      .union([nonBlank(255), z.array(nonBlank(255))], "expected a signal type or a list of them")
      .nullish(),
    custom_labels: labelsSchema.nullish(),
    detected_labels: labelsSchema.nullish(),
    prerequisites: z
      .array(z.string().refine(isPrerequisite, "expected `key: value`"), "expected a list")
      .nullish(),
    parameters: z.array(parameterSchema, "expected a list of parameters").nullish(),
    action_type: words,
    content: z.unknown().optional(),
    disabled: z.boolean("expected true or false").nullish(),
  },
  "expected an entry",
);

/** An entry that was read, or what is wrong with it. */
export type ReadEntry =
  | { readonly workflow: Workflow; readonly isDisabled: boolean }
  | {
      readonly issues: readonly {
        readonly path: readonly PropertyKey[];
        readonly message: string;
      }[];
    };

/** Reads one entry as it is written. `playbook_id` and `id` mean the same as `workflow_id`. */
export function readEntry(value: unknown): ReadEntry {
  const read = entrySchema.safeParse(withId(value));
  if (!read.success) return { issues: read.error.issues };
  const { data } = read;
  const issues = [
    ...repeatedNames(data.parameters ?? []),
    ...wrongRisks("labels", data.labels),
    ...wrongRisks("custom_labels", data.custom_labels ?? {}),
  ];
  if (issues.length > 0) return { issues };
  const custom = normalise(data.custom_labels ?? {});
  return {
    isDisabled: data.disabled ?? false,
    workflow: {
      id: data.workflow_id,
      version: data.version,
      name: data.name ?? data.workflow_id,
      description:
        typeof data.description === "string"
          ? { what: data.description }
          : withoutNulls(data.description),
      labels: { ...custom, ...normalise(data.labels) },
      incidentTypes: data.incident_types == null ? undefined : [data.incident_types].flat(),
      conditions: toLabels(data.detected_labels ?? {}, (key) => key),
      prerequisites: Object.fromEntries((data.prerequisites ?? []).map(splitPrerequisite)),
      parameters: (data.parameters ?? []).map(toParameter),
      actionType: data.action_type ?? undefined,
      ...(data.content !== undefined && { content: data.content }),
    },
  };
}

function withId(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { workflow_id, playbook_id, id, ...rest } = value as Readonly<Record<string, unknown>>; // an object, as checked
  return { ...rest, workflow_id: workflow_id ?? playbook_id ?? id };
}

type RawLabels = z.infer<typeof labelsSchema>;

function normalise(labels: RawLabels): Labels {
  return toLabels(labels, labelKey);
}

function toLabels(labels: RawLabels, toKey: (key: string) => string): Labels {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) =>
      value === null
        ? []
        : [[toKey(key), (Array.isArray(value) ? value : [value]).map((one) => String(one).trim())]],
    ),
  );
}

function isPrerequisite(text: string): boolean {
  return text.includes(":") && splitPrerequisite(text).every((part) => part !== "");
}

function splitPrerequisite(text: string): readonly [key: string, value: string] {
  const at = text.indexOf(":");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function toParameter(raw: z.infer<typeof parameterSchema>) {
  return withoutNulls({
    name: raw.name,
    type: raw.type,
    required: raw.required ?? false,
    description: raw.description,
    enum: raw.enum,
    minimum: raw.minimum ?? raw.min,
    maximum: raw.maximum ?? raw.max,
    pattern: raw.pattern,
    default: raw.default,
    dependsOn: raw.depends_on,
  });
}

function repeatedNames(parameters: readonly { readonly name: string }[]) {
  const seen = new Set<string>();
  return parameters.flatMap(({ name }, at) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const message = `expected each name once, got "${name}" again`;
    return [{ path: ["parameters", at, "name"], message }];
  });
}

/** A risk that is not known would pass every gate that names the known ones. */
function wrongRisks(key: "labels" | "custom_labels", labels: RawLabels) {
  return Object.entries(labels).flatMap(([label, value]) => {
    if (labelKey(label) !== "risk_tolerance") return [];
    const wrong = [value ?? []].flat().find((one) => !riskValues.includes(riskText(one)));
    if (wrong === undefined) return [];
    const got = JSON.stringify(String(wrong).slice(0, 40));
    return [{ path: [key, label], message: `expected low, medium, high or *, got ${got}` }];
  });
}

function riskText(value: unknown): string {
  return String(value).trim().toLowerCase();
}

type WithoutNulls<T> = { [Key in keyof T]: Exclude<T[Key], null> };

function withoutNulls<T extends object>(value: T): WithoutNulls<T> {
  const kept = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(kept) as WithoutNulls<T>; // only keys whose value was null or undefined are gone
}

import { listAt, recordAt, textAt } from "../cluster/fields.js";

/** Labels, or what passes for them in an object that was not checked. */
export type Labels = Readonly<Record<string, unknown>>;

/** True when the labels meet a selector with `matchLabels` and `matchExpressions`. An empty one meets all. */
export function matchesSelector(selector: unknown, labels: Labels): boolean {
  const wanted = Object.entries(recordAt(selector, "matchLabels"));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listAt(selector, "matchExpressions").every((expression) =>
      matchesExpression(expression, labels),
    )
  );
}

/** True when the labels meet a plain record of labels, as a Service has it. An empty one meets none. */
export function matchesLabels(wanted: Labels, labels: Labels): boolean {
  const entries = Object.entries(wanted);
  return entries.length > 0 && entries.every(([key, value]) => labels[key] === value);
}

/** `app=web,tier=front`, for people and commands. */
export function printLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(",");
}

/** `app=web,tier in (a, b)`, for people. */
export function printSelector(selector: unknown): string {
  const labels = Object.entries(recordAt(selector, "matchLabels")).map(([k, v]) => `${k}=${v}`);
  const expressions = listAt(selector, "matchExpressions").map(printExpression);
  return [...labels, ...expressions].join(", ") || "everything";
}

/** `zone in (a, b)`, for people. */
export function printExpression(expression: unknown): string {
  const values = listAt(expression, "values").join(", ");
  const operator = (textAt(expression, "operator") ?? "").toLowerCase();
  return `${textAt(expression, "key") ?? "?"} ${operator}${values === "" ? "" : ` (${values})`}`;
}

/** True when the labels meet one expression of a selector or of a node's affinity. */
export function matchesExpression(expression: unknown, labels: Labels): boolean {
  const value = labels[textAt(expression, "key") ?? ""];
  const values = listAt(expression, "values");
  switch (textAt(expression, "operator")) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return Number(value) > Number(values[0]);
    case "Lt":
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

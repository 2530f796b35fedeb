import { redactSecrets } from "@constellation/authoring";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt, valueAt } from "../cluster/fields.js";
import { redactNamed } from "../cluster/own-fields.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { quote } from "../diagnosis/quote.js";
import type { FieldRow } from "./table.js";

/** A part of an object, with what it is in. */
export interface Place {
  readonly value: unknown;
  readonly above?: Place | undefined;
}

/** Maximum number of characters of a value. */
const maxValue = 200;

/**
 * Every part at a path, into each item of a list: `spec.ports.port`. `conditions(Ready)` are only items of that type or
 * kind, `pod` is the spec of an object's pods, `containers` are all of its containers, `^` begins one part higher, and
 * of `a or b` the first counts that is there.
 */
export function placesAt(from: Place, paths: string): readonly Place[] {
  for (const path of paths.split(" or ")) {
    const found = followPath(from, path);
    if (found.length > 0) return found;
  }
  return [];
}

function followPath(from: Place, path: string): readonly Place[] {
  if (path.startsWith("^"))
    return from.above === undefined ? [] : followPath(from.above, path.slice(1));
  const [first = "", ...rest] = path.split(".");
  return rest.reduce<readonly Place[]>(
    (places, step) => places.flatMap((place) => takeStep(place, step)),
    takeStep(from, first),
  );
}

function takeStep(above: Place, step: string): readonly Place[] {
  const [key = "", type] = step.split(/[()]/);
  return listItems(above.value, key)
    .filter(
      (value) =>
        type === undefined || textAt(value, "type") === type || textAt(value, "kind") === type,
    )
    .map((value) => ({ value, above }));
}

function listItems(value: unknown, key: string): readonly unknown[] {
  if (key === "pod" || key === "containers") {
    const spec = isObject(value) ? findPodSpec(value) : undefined;
    if (spec !== undefined && key === "pod") return [spec];
    if (spec !== undefined)
      return [...listAt(spec, "initContainers"), ...listAt(spec, "containers")];
  }
  const found = valueAt(value, key);
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}

/** True for a whole object, of which only the reader of the cluster makes any. */
function isObject(value: unknown): value is KubernetesObject {
  return textAt(value, "kind") !== undefined && textAt(value, "metadata", "name") !== undefined;
}

/** `{path}`, with `@` as a moment, with `~` as the time since then, with `!` as a moment that may be ahead; `|` before a default. */
const slot = /\{([^{}|@~!]{1,120})([@~!]?)(?:\|([^{}]{0,40}))?\}/g;

/**
 * Fills parts of a sentence with what is at the paths in them: `port {port}`. A part without one of its values is left out.
 *
 * @returns The parts, joined; undefined where there are none.
 */
export function fillTemplate(
  parts: readonly string[],
  place: Place,
  now: number,
): string | undefined {
  const filled = parts.flatMap((part) => {
    let isWhole = true;
    const text = part.replace(slot, (_, path: string, form: string, usual?: string) => {
      const values = placesAt(place, path)
        .map(({ value }) => printForm(value, form, now))
        .filter((one) => one !== "");
      if (values.length > 0) return values.join(", ");
      isWhole &&= usual !== undefined;
      return usual ?? "";
    });
    return isWhole ? [text] : [];
  });
  return filled.length === 0 ? undefined : filled.join(", ");
}

/** What the table says of a field of an object, a clause each. */
export function describeRow(
  { says = [], none }: FieldRow,
  object: KubernetesObject,
  now: number,
): readonly string[] {
  const root = { value: object };
  const lines = says
    .filter(({ kinds }) => kinds?.includes(object.kind) !== false)
    .flatMap(({ each, text }) =>
      (each === undefined ? [root] : placesAt(root, each)).flatMap(
        (place) => fillTemplate(text, place, now) ?? [],
      ),
    );
  return lines.length === 0 && none !== undefined ? [none] : lines;
}

function printForm(value: unknown, form: string, now: number): string {
  if (form === "") return value === false ? "" : printValue(value);
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (!(at > 0)) return "";
  if (form === "@") return printMoment(at, now);
  if (form === "~") return printDuration(now - at);
  return `${new Date(at).toISOString()}${at < now ? ", which is over" : `, in ${printDuration(at - now)}`}`;
}

/** A value on one line: `httpGet (path /up, port 8080), periodSeconds 10`. */
export function printValue(value: unknown): string {
  return quote(printPlain(value), maxValue);
}

function printPlain(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([key, one]) => {
      if (typeof one === "object")
        return Array.isArray(value) ? `(${printPlain(one)})` : `${key} (${printPlain(one)})`;
      return Array.isArray(value) ? redactSecrets(String(one)) : `${key} ${redactNamed(key, one)}`;
    })
    .join(", ");
}

import { getKind, type KindName } from "../../cluster/kinds.js";
import { type Command, kindOfWord } from "./command.js";
import type { Row } from "./tables.js";

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  y: 31_536_000_000,
};
/** Maximum number of lines of one description. */
const maxLines = 5_000;
const start = /^(?=Name: {2,}\S)/m;
/** A moment in full, as a description has it. */
const moment = /\b\w{3}, \d{1,2} \w{3} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}/g;

/** An age as `kubectl` prints it, `3d4h` or `45m`, in milliseconds. Undefined for any other text. */
export function parseAge(text: string): number | undefined {
  if (!/^(?:\d{1,6}[smhdy]){1,4}$/.test(text.trim())) return undefined;
  return [...text.matchAll(/(\d{1,6})([smhdy])/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ""] ?? 0),
    0,
  );
}

/** Times of an event as `kubectl` prints them: `3m (x12 over 45m)`. */
function parseSeen(text: string, now: number) {
  const [age = ""] = text.trim().split(" ");
  const last = parseAge(age);
  if (last === undefined) return {};
  const [, count = 1, span = ""] = /\(x(\d{1,9}) over (\w{1,20})\)/.exec(text) ?? [];
  return {
    count: Number(count),
    firstTimestamp: new Date(now - (parseAge(span) ?? last)).toISOString(),
    lastTimestamp: new Date(now - last).toISOString(),
  };
}

/** An event in the form of the API. */
function toEvent(
  object: {
    readonly kind: KindName;
    readonly name: string;
    readonly namespace: string | undefined;
  },
  row: { readonly type?: string; readonly reason?: string; readonly message?: string },
  times: ReturnType<typeof parseSeen>,
) {
  const { kind, name, namespace } = object;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: `${name}.${row.reason ?? ""}.${times.lastTimestamp ?? "0"}`.toLowerCase(),
      namespace: namespace ?? "default",
    },
    involvedObject: { kind, name, ...(namespace !== undefined && { namespace }) },
    ...row,
    ...times,
  };
}

/** The event of a row of `kubectl get events`. */
export function eventOfRow(
  { OBJECT = "", TYPE, REASON, MESSAGE, NAMESPACE, ...row }: Row,
  command: Command | undefined,
  now: number,
): readonly unknown[] {
  const [word = "", name] = OBJECT.split("/");
  const kind = kindOfWord(word);
  if (kind === undefined || name === undefined) return [];
  const namespace = NAMESPACE ?? command?.namespace ?? "default";
  const said = {
    ...(TYPE !== undefined && { type: TYPE }),
    ...(REASON !== undefined && { reason: REASON }),
    ...(MESSAGE !== undefined && { message: MESSAGE }),
  };
  return [toEvent({ kind, name, namespace }, said, parseSeen(row["LAST SEEN"] ?? "", now))];
}

/** True for a text that `kubectl describe` printed. */
export function isDescription(text: string): boolean {
  return /^Name: {2,}\S/m.test(text) && /^Events:/m.test(text);
}

/**
 * The events below a description, which say what happened to what it is of; the rest of it is for people, and a
 * manifest says it in full. Of no kind that a command or its keys tell: none.
 */
export function describedEvents(
  text: string,
  command: Command | undefined,
  clock: number,
): readonly unknown[] {
  return text.split(start).flatMap((description) => {
    const lines = description.split("\n").slice(0, maxLines);
    const read = (key: string) =>
      lines
        .find((line) => line.startsWith(`${key}:`))
        ?.slice(key.length + 1)
        .trim();
    const kind = command?.kind === undefined ? guessKind(read) : kindOfWord(command.kind);
    const name = read("Name");
    const at = lines.findIndex((line) => line.startsWith("Events:"));
    if (kind === undefined || name === undefined || at < 0) return [];
    const place = read("Namespace") ?? command?.namespace ?? "default";
    const namespace = getKind(kind).namespaced ? place : undefined;
    const moments = (description.match(moment) ?? []).map((one) => Date.parse(one));
    const now = moments.reduce((a, b) => (b > a ? b : a), 0) || clock;
    return lines.slice(at + 1).flatMap((line) => {
      const [type = "", reason = "", age = "", , ...rest] = line.trim().split(/ {2,}/);
      const said = { type, reason, message: rest.join("  ") };
      return type === "Normal" || type === "Warning"
        ? [toEvent({ kind, name, namespace }, said, parseSeen(age, now))]
        : [];
    });
  });
}

/** The kind of a description without a command: people paste those of pods and of nodes. */
function guessKind(read: (key: string) => string | undefined): KindName | undefined {
  if (read("Node") !== undefined) return "Pod";
  return read("Unschedulable") === undefined ? undefined : "Node";
}

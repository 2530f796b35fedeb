import { getKind, type KindName } from "../../cluster/kinds.js";
import { type Command, kindOfWord } from "./command.js";
import { eventObject } from "./event-object.js";
import { newestIn, parseSeen } from "./times.js";

/** Maximum number of lines of one description. */
const maxLines = 5_000;
const start = /^(?=Name: {2,}\S)/m;

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
    const namespace = getKind(kind).namespaced
      ? (read("Namespace") ?? command?.namespace ?? "default")
      : undefined;
    const now = newestIn(description) ?? clock;
    return lines.slice(at + 1).flatMap((line) => {
      const [type = "", reason, age = "", ...rest] = line.trim().split(/ {2,}/);
      return type === "Normal" || type === "Warning"
        ? [
            eventObject({
              kind,
              name,
              namespace,
              seen: parseSeen(age, now),
              type,
              reason,
              message: rest.slice(1).join("  "),
            }),
          ]
        : [];
    });
  });
}

/** The kind of a description without a command: people paste those of pods and of nodes. */
function guessKind(read: (key: string) => string | undefined): KindName | undefined {
  if (read("Node") !== undefined) return "Pod";
  return read("Unschedulable") === undefined ? undefined : "Node";
}

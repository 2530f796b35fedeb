import { type Command, parseCommand } from "./command.js";
import { describedEvents, isDescription } from "./printed-events.js";
import { rowsToObjects } from "./rows.js";
import { tablesIn } from "./tables.js";

/** What a text of `kubectl` holds. */
export interface KubectlText {
  /** Objects and events as the API would give them, as far as the text says. */
  readonly objects: readonly unknown[];
  /** Logs by `namespace/pod/container`, with `#previous` for the run before. */
  readonly logs: readonly { readonly key: string; readonly text: string }[];
  /** Manifests between other output: JSON or YAML. */
  readonly documents: readonly string[];
}

/** A command line, with or without a prompt. */
const prompt = /^\s{0,8}(?:[\w@~:/.()-]{0,80}[$#%>] {0,3})?(kubectl|oc|k) (?=\S)/;
/** The first line of a table of `kubectl get`. */
const header = /^(?:NAMESPACE {2,}|LAST SEEN {2,}|NAME {2,})/m;
/** Maximum number of lines that are looked at. */
const maxLines = 200_000;

/** True for a text that `kubectl describe` or `kubectl get` printed, or a transcript of them. */
export function isKubectlText(text: string): boolean {
  const head = text.slice(0, 65_536);
  return (
    header.test(head) || isDescription(head) || head.split("\n").some((line) => prompt.test(line))
  );
}

/**
 * Reads what `kubectl get`, `kubectl logs` and the events of `kubectl describe` print for people, one after another. A
 * command line above an output says of what kind and namespace it is.
 *
 * @param now - What ages are measured from, in epoch milliseconds.
 */
export function readKubectlText(text: string, now: number): KubectlText {
  const objects: unknown[] = [];
  const logs: { key: string; text: string }[] = [];
  const documents: string[] = [];
  for (const { command, body } of splitSections(text)) {
    if (command?.verb === "logs") {
      if (command.name !== undefined)
        logs.push({
          key: `${command.namespace ?? "default"}/${command.name}/${command.container ?? "*"}${command.isPrevious ? "#previous" : ""}`,
          text: body,
        });
      continue;
    }
    if (command?.isManifest === true) {
      documents.push(body);
      continue;
    }
    objects.push(...describedEvents(body, command, now));
    for (const table of tablesIn(body)) objects.push(...rowsToObjects(table, command, now));
  }
  return { objects, logs, documents };
}

function splitSections(
  text: string,
): readonly { readonly command: Command | undefined; readonly body: string }[] {
  const sections: { command: Command | undefined; lines: string[] }[] = [
    { command: undefined, lines: [] },
  ];
  for (const line of text.split("\n").slice(0, maxLines)) {
    const match = prompt.exec(line);
    if (match === null) sections.at(-1)?.lines.push(line.replace(/\r$/, ""));
    else sections.push({ command: parseCommand(line.slice(match[0].length)), lines: [] });
  }
  return sections
    .map(({ command, lines }) => ({ command, body: lines.join("\n") }))
    .filter(({ body }) => body.trim() !== "");
}

import { parseArgs } from "node:util";
import { getKind, type KindName, kindNames } from "../../cluster/kinds.js";
import { kindsIn } from "../../question/kind-words.js";

/** A command line of `kubectl`, as far as it says what its output is. */
export interface Command {
  readonly verb: string;
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly container: string | undefined;
  readonly isPrevious: boolean;
  /** True for output in JSON or YAML. */
  readonly isManifest: boolean;
}

/** Maximum number of words of a command line. */
const maxWords = 60;

/** The kind that a word of a command line names: `po`, `pods`, `deployment.apps`. */
export function kindOfWord(word: string): KindName | undefined {
  const name = word.toLowerCase().split(".")[0] ?? "";
  return (
    kindNames.find((kind) => kind.toLowerCase() === name || getKind(kind).plural === name) ??
    kindsIn(name).find(({ text }) => text === name)?.kinds[0]
  );
}

/** Reads what is after `kubectl`. */
export function parseCommand(line: string): Command {
  const { values, positionals } = parseArgs({
    args: line.trim().split(/\s+/).slice(0, maxWords),
    strict: false,
    options: {
      namespace: { type: "string", short: "n" },
      container: { type: "string", short: "c" },
      output: { type: "string", short: "o" },
      selector: { type: "string", short: "l" },
      tail: { type: "string" },
      previous: { type: "boolean", short: "p" },
    },
  });
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const [verb = "", first, second] = positionals;
  const isLogs = verb === "logs";
  const [kind, name] =
    first?.includes("/") === true
      ? first.split("/")
      : isLogs
        ? [undefined, first]
        : [first, second];
  return {
    verb,
    kind,
    name,
    namespace: text(values.namespace),
    container: text(values.container) ?? (isLogs ? second : undefined),
    isPrevious: values.previous === true,
    isManifest: ["yaml", "json"].includes(text(values.output) ?? ""),
  };
}

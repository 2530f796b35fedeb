import { readFileSync } from "node:fs";
import {
  createEntityIndex,
  createIntentReader,
  type IntentModelData,
  type IntentReader,
  type IntentReading,
  type NamedEntity,
  readQuestion,
} from "@constellation/nlu";
import { readHints } from "./intent-hints.js";
import type { Question } from "./question.js";

/** The mask of names of each kind in a masked question. */
const masks: Readonly<Record<string, string>> = {
  Namespace: "namespace",
  Node: "node",
  Host: "host",
};
/** The mask of names of all other kinds. */
const otherMask = "name";

let reader: IntentReader | undefined;

/**
 * Reads what a question wants. Takes some tens of microseconds; the first call reads the fitted model.
 *
 * @param named - What it names in the cluster. Where that is not known yet, words that look like names are taken.
 */
export function readIntent(
  question: Question,
  named: readonly NamedEntity[] = guessNames(question),
): IntentReading {
  // The file is written by `npm run fit-intents`.
  reader ??= createIntentReader(
    JSON.parse(
      readFileSync(new URL("../../data/intents.json", import.meta.url), "utf8"),
    ) as IntentModelData,
  );
  return reader.read(maskNames(question.query, named), readHints(question));
}

/** The question with `<name>`, `<namespace>`, `<node>` and `<host>` in place of names. */
export function maskNames(query: string, named: readonly NamedEntity[]): string {
  const entities = createEntityIndex(
    named.map((one) => (masks[one.kind] === undefined ? { ...one, kind: otherMask } : one)),
    {
      prepositions: { in: "Namespace", on: "Node" },
      masks,
    },
  );
  return readQuestion(query, { entities }).masked;
}

/** Words of a question that look like names, before it is known what there is: those with a joint or a digit. */
export function guessNames({ query, names, namespace }: Question): readonly NamedEntity[] {
  const joined = names.filter(
    (name) => /[a-z]/i.test(name) && /[-_.\d]/.test(name) && query.includes(name),
  );
  return [
    ...(namespace === undefined ? [] : [{ kind: "Namespace", name: namespace }]),
    ...joined.map((name) => ({ kind: name.includes(".") ? "Host" : "Workload", name })),
  ];
}

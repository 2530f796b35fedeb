import { didYouMean } from "@constellation/core/checks";
import type { z } from "zod";
import type { MeshSource } from "./mesh-source.js";
import type { OptionsShape } from "./options-shape.js";

/** The source of a value that a schema checked. */
export interface CheckedPlace {
  /** Path in the file of a path in the value. */
  readonly findPath: (path: readonly PropertyKey[]) => readonly PropertyKey[];
  readonly shape: OptionsShape;
}

const maxProblems = 20;
/** Problems whose place is looked up, to be put in the order of the file. */
const maxLocated = 200;

/** Problems that a schema found: one line each, with the place in the file, in the order of the file. */
export function schemaProblems(
  source: MeshSource,
  issues: readonly z.core.$ZodIssue[],
  { findPath, shape }: CheckedPlace,
): readonly string[] {
  return issues
    .slice(0, maxLocated)
    .flatMap((issue) => {
      const path = findPath(issue.path);
      if (issue.code !== "unrecognized_keys") {
        const message = `${plainMessage(issue.message)}, got ${describe(source, path)}.`;
        return { offset: source.findOffset(path), line: source.problem(path, message) };
      }
      const known = shape.keysAt(issue.path);
      return issue.keys.slice(0, maxLocated).map((key) => ({
        offset: source.findOffset([...path, key], "key"),
        line: source.problem([...path, key], unknownKey(key, known, path), "key"),
      }));
    })
    .sort((one, other) => one.offset - other.offset)
    .slice(0, maxProblems)
    .map(({ line }) => line);
}

/** Text under a key that looks like a secret is not shown, even if the file contains it. */
function describe(source: MeshSource, path: readonly PropertyKey[]): string {
  const shown = source.describe(path);
  const isSecret = shown.startsWith('"') && secretName.test(String(path.at(-1)));
  return isSecret ? "a text that is not shown" : shown;
}

const secretName = /key|token|secret|password/i;

/** A schema without messages of its own has those of zod, which name the value in its own words. */
function plainMessage(message: string): string {
  const [expected = message] = message
    .replace(/^(?:Invalid input|Invalid option|Invalid string|Too small|Too big): /, "")
    .split(", received ", 1);
  return expected;
}

function unknownKey(key: string, known: readonly string[], path: readonly PropertyKey[]): string {
  const isEntry = path.length === 2 && path[0] === "librarians";
  const advice = secretName.test(key)
    ? " Secrets come from the environment, never from this file."
    : didYouMean(key, known);
  const options = isEntry ? " Options of the package belong under `options:`." : "";
  const list = known.length === 0 ? "" : ` Valid keys: ${known.join(", ")}.`;
  return `unknown key.${advice}${options}${list}`;
}

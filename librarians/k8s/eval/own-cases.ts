import { fileURLToPath } from "node:url";
import type { Response } from "@constellation/core";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { type ClusterCase, loadFile } from "./load-case.js";
import { tuningFiles } from "./tuning-files.js";

/** The cases for tuning, without those that are held out. */
export const ownCases: readonly ClusterCase[] = tuningFiles.flatMap((name) =>
  loadFile(fileURLToPath(new URL(`cases/${name}.jsonl`, import.meta.url))),
);

/** A case with its answer. */
export interface AnsweredCase {
  readonly one: ClusterCase;
  readonly response: Response;
}

let answered: Promise<readonly AnsweredCase[]> | undefined;

/** Every one of {@link ownCases} with its answer. They are asked once. */
export function answerOwnCases(): Promise<readonly AnsweredCase[]> {
  answered ??= Promise.all(
    ownCases.map(async (one) => ({
      one,
      response: await createK8sLibrarian({ reader: one.reader }).librarian(one.question),
    })),
  );
  return answered;
}

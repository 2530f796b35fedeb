import { sanitizeText } from "@constellation/authoring";
import {
  MeshError,
  type Response,
  type User,
  type WaitAnswer,
  type Waiting,
} from "@constellation/core";
import { answerersOf } from "@constellation/core/checks";
import { printOutcome } from "../ask-and-print.js";
import type { CommandIO } from "../command-io.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { storeRun } from "../runs/store-run.js";

/** One line about what a run waits for. */
export function describeWait(wait: Waiting): string {
  const { kind, librarian, what, why, requestedBy, expiresAt } = wait;
  const people = answerersOf(wait).join(" or ");
  const parts = [
    `${kind} (${librarian}): ${what}`,
    people === "" ? "" : `from ${people}`,
    why === undefined ? "" : `because ${why}`,
    requestedBy === undefined ? "" : `for ${requestedBy}`,
    expiresAt === undefined ? "" : `until ${new Date(expiresAt).toISOString()}`,
  ];
  return sanitizeText(parts.filter((part) => part !== "").join(", "), { singleLine: true });
}

/**
 * Answers a wait, continues the run, and prints its outcome.
 *
 * @throws MeshError where the answer is refused.
 */
export async function answerWait(
  mesh: Mesh,
  { id, runId, requestedBy }: Waiting,
  answer: Omit<WaitAnswer, "id">,
  io: CommandIO,
): Promise<Response> {
  const run = await mesh.router.resume(runId, { ...answer, id });
  const response = await run.response;
  if ("explain" in run) {
    const record = run.explain();
    await printOutcome(response, record, io, { tree: false });
    const user = requestedBy === undefined ? {} : { user: { id: requestedBy } };
    await storeRun(mesh, { record, response, ...user }, io);
  } else io.stdout.write(`${sanitizeText(response.answer ?? response.error?.message ?? "")}\n`);
  return response;
}

/**
 * Asks a person about each wait of a run in turn, and continues the run with each answer.
 *
 * @param question - Shows a text and gives the line typed after it; `undefined` where there is none.
 * @returns The last response.
 */
export async function promptWaits(
  mesh: Mesh,
  response: Response,
  user: User | undefined,
  question: (text: string) => Promise<string | undefined>,
  io: CommandIO,
): Promise<Response> {
  let last = response;
  const seen = new Set<string>();
  for (;;) {
    const waits = last.metadata?.waiting ?? [];
    const wait = waits.find(({ id, kind }) => kind !== "event" && !seen.has(id));
    if (wait === undefined) return last;
    seen.add(wait.id);
    const line = await question(`${describeWait(wait)}\n${prompts[wait.kind]} `);
    const answer = line === undefined ? undefined : readLine(line.trim(), wait);
    if (answer === undefined) {
      io.stderr.write(
        "It waits: `constellation approvals` lists it, where the mesh has a journal.\n",
      );
      continue;
    }
    try {
      last = await answerWait(mesh, wait, { ...answer, user }, io);
    } catch (thrown) {
      if (!(thrown instanceof MeshError)) throw thrown;
      io.stderr.write(`${sanitizeText(thrown.message, { singleLine: true })}\n`);
    }
  }
}

const prompts = {
  approval: "Approve it? y: yes, n: no, empty: later ›",
  question: "Your answer, empty: later ›",
  event: "",
  "outcome-unknown": "Do it again? y: it did not happen, empty: later ›",
} as const;

function readLine(line: string, { kind, schema }: Waiting): Omit<WaitAnswer, "id"> | undefined {
  if (line === "") return undefined;
  const isYes = /^y(?:es)?$/i.test(line);
  if (kind === "approval") return isYes || /^no?$/i.test(line) ? { approve: isYes } : undefined;
  if (kind === "outcome-unknown") return isYes ? { repeat: true } : undefined;
  return { value: readAnswer(line, schema) };
}

/** JSON where the schema of the answer is not text, else the line. */
export function readAnswer(line: string, schema: Waiting["schema"]): unknown {
  if (schema === undefined || schema.type === "string") return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

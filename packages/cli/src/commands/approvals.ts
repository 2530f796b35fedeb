import { sanitizeText } from "@constellation/authoring";
import { MeshError, type User, type Waiting } from "@constellation/core";
import { answerersOf } from "@constellation/core/checks";
import { answerWait, describeWait, readAnswer } from "../approvals/answer-wait.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { ConfigurationError, noJournal } from "../configuration-error.js";
import { journalIn } from "../mesh/create-journal.js";
import { openJournal } from "../mesh/open-journal.js";
import { withOpenMesh } from "../open-mesh.js";
import { type OutputFormat, printData } from "../terminal/printable-data.js";

/** Actions of `approvals`. */
export type ApprovalsAction = "list" | "approve" | "refuse" | "answer" | "repeat";

/** Command-line options of `approvals`. */
export interface ApprovalsFlags {
  readonly mesh?: string;
  readonly journal?: string;
  readonly as?: User;
  readonly comment?: string;
  readonly output: OutputFormat;
}

/** `constellation approvals`: lists waits, and answers them. An answer continues the run in this process. */
export async function approvals(
  action: ApprovalsAction,
  [name, ...words]: readonly string[],
  flags: ApprovalsFlags,
  io: CommandIO,
): Promise<number> {
  if (action === "list") {
    if (name !== undefined) throw new ConfigurationError("approvals list: expected no id.");
    return list(flags, io);
  }
  if (name === undefined) {
    throw new ConfigurationError(
      `approvals ${action}: expected the id of a run. \`constellation approvals\` lists them.`,
    );
  }
  if ((action === "answer") !== words.length > 0) {
    throw new ConfigurationError(
      action === "answer"
        ? "approvals answer: expected the answer after the id."
        : `approvals ${action}: expected one id, got ${words.length + 1}.`,
    );
  }
  const options = { journal: flags.journal, defaultJournal: journalIn(io.env) };
  return withOpenMesh(flags.mesh, io, options, async (mesh) => {
    const { journal } = mesh;
    if (journal === undefined) throw noJournal();
    const wait = findWait(await journal.waiting({ limit: maxListed }), name);
    try {
      const answers = {
        approve: { approve: true },
        refuse: { approve: false },
        answer: { value: readAnswer(words.join(" "), wait.schema) },
        repeat: { repeat: true },
      };
      const { comment, as: user } = flags;
      const response = await answerWait(mesh, wait, { ...answers[action], comment, user }, io);
      return response?.answer === undefined ? exitCodes.failed : exitCodes.answered;
    } catch (thrown) {
      if (!(thrown instanceof MeshError)) throw thrown;
      const people = answerersOf(wait).join(" or ");
      const { message, suggestion = "" } =
        thrown.code === "UNAUTHORIZED" && people !== ""
          ? {
              message: thrown.message,
              suggestion: `It needs an answer from ${people}: ${asAdvice}`,
            }
          : thrown;
      io.stderr.write(`${sanitizeText(`${message} ${suggestion}`, { singleLine: true })}\n`);
      return exitCodes.failed;
    }
  });
}

const asAdvice = "--as NAME, or --as NAME:TEAM for a user in a team or a role.";

const maxListed = 1_000;

async function list(flags: ApprovalsFlags, io: CommandIO): Promise<number> {
  const journal = await openJournal(flags, io);
  try {
    const all = await journal.waiting({ limit: maxListed });
    if (flags.output !== "table") await printData({ waiting: all }, flags.output, io);
    else if (all.length === 0) io.stderr.write("Nothing waits.\n");
    else {
      for (const [name, wait] of nameWaits(all))
        io.stdout.write(`${name}  ${describeWait(wait)}\n`);
    }
    return exitCodes.answered;
  } finally {
    await journal.close();
  }
}

/** Short names of waits: the beginning of the id of the run, and a number where the run has several. */
function nameWaits(all: readonly Waiting[]): readonly (readonly [string, Waiting])[] {
  return all.map((wait) => {
    const siblings = all.filter(({ runId }) => runId === wait.runId);
    const short = wait.runId.slice(0, 8);
    return [siblings.length < 2 ? short : `${short}.${siblings.indexOf(wait) + 1}`, wait] as const;
  });
}

/** @throws ConfigurationError where no wait, or several, have the name. */
function findWait(all: readonly Waiting[], name: string): Waiting {
  const [, prefix = name, number] = /^(.*?)(?:\.(\d{1,3}))?$/.exec(name) ?? [];
  const matching = all.filter(({ runId }) => runId.startsWith(prefix));
  const found =
    number === undefined ? matching : matching.slice(Number(number) - 1, Number(number));
  const [wait] = found;
  if (wait !== undefined && found.length === 1) return wait;
  const shown = sanitizeText(name, { singleLine: true }).slice(0, 80);
  const problem = wait === undefined ? "No wait has the id" : "Several waits have the id";
  throw new ConfigurationError(`${problem} "${shown}". \`constellation approvals\` lists them.`);
}

import { printMermaid, sanitizeText } from "@constellation/authoring";
import type {
  MeshEvent,
  Response,
  ResponseFields,
  Router,
  RunRecord,
  User,
} from "@constellation/core";
import { type CommandIO, exitCodes } from "./command-io.js";
import { type Cause, collectCauses, printCauses } from "./terminal/causes.js";
import { createEventLines } from "./terminal/event-lines.js";
import { openLiveHops } from "./terminal/live-hops.js";
import { paintFor } from "./terminal/paint.js";
import { type OutputFormat, printData } from "./terminal/printable-data.js";
import { printResult, type ResultOptions } from "./terminal/result.js";

/** Options of a question, and how the answer is printed. */
export interface AskAndPrintOptions {
  /** Id of the librarian to ask. */
  readonly to?: string | undefined;
  /** Maximum duration of the run, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly user?: User | undefined;
  /** Id of the thread that it is asked in. */
  readonly thread?: string | undefined;
  /**
   * Format on stdout: text, one document `{ response, run }`, or a Mermaid flowchart.
   *
   * @default "table"
   */
  readonly format?: OutputFormat | "mermaid" | undefined;
  /**
   * Prints the tree of hops after the answer.
   *
   * @default on a terminal
   */
  readonly tree?: boolean | undefined;
  /**
   * On a terminal, prints only headlines of an answer by several librarians, or of an answer longer than the screen.
   *
   * @default false
   */
  readonly summary?: boolean | undefined;
  /**
   * Prints the stacks of exceptions of librarians on stderr. A terminal always shows their message and line.
   *
   * @default false
   */
  readonly debug?: boolean | undefined;
  /** Shows no progress on stderr. */
  readonly quiet?: boolean | undefined;
}

/** Outcome of a question. */
export interface AskOutcome {
  readonly response: Response;
  readonly run: RunRecord;
  /** 0: an answer, 1: no answer, 130: cancelled by the signal. */
  readonly exitCode: number;
}

/**
 * Asks a router, shows progress on stderr, and prints the outcome on stdout.
 *
 * @returns As soon as there is a response, whether or not every librarian has stopped.
 */
export async function askAndPrint(
  router: Router,
  query: string,
  io: CommandIO,
  options: AskAndPrintOptions = {},
): Promise<AskOutcome> {
  const { to, timeoutMs, user, thread, quiet = false } = options;
  const run = router.start(query, {
    to,
    timeoutMs,
    thread,
    user,
  });
  const cancel = () => run.cancel("interrupted");
  if (io.signal.aborted) cancel();
  io.signal.addEventListener("abort", cancel, { once: true });
  try {
    const causes: Cause[] = [];
    const events = collectCauses(run.events, causes);
    await (quiet ? waitForEnd(events) : showProgress(events, io));
    const response = await run.response;
    const record = run.explain();
    await printOutcome(response, record, io, {
      ...options,
      thrownAdvice: options.debug === true ? "" : "`--debug` shows what it threw, with its stack.",
    });
    if (options.debug === true || io.stderr.isTTY === true) {
      printCauses(causes, io, { stacks: options.debug === true });
    }
    const exitCode = io.signal.aborted
      ? exitCodes.interrupted
      : response.answer === undefined
        ? exitCodes.failed
        : exitCodes.answered;
    return { response, run: record, exitCode };
  } finally {
    io.signal.removeEventListener("abort", cancel);
  }
}

type OutcomeOptions = Pick<AskAndPrintOptions, "format" | "tree" | "summary"> &
  Pick<ResultOptions, "thrownAdvice">;

/** Prints the outcome of a run, live or saved. */
export async function printOutcome(
  response: ResponseFields,
  record: RunRecord,
  io: CommandIO,
  { format = "table", tree, summary, thrownAdvice }: OutcomeOptions,
): Promise<void> {
  if (format === "mermaid") {
    io.stdout.write(`${sanitizeText(printMermaid(record))}\n`);
  } else if (format !== "table") {
    await printData({ response, run: record }, format, io);
  } else {
    const isTerminal = io.stdout.isTTY === true;
    printResult(response, record, io, {
      tree: tree ?? isTerminal,
      summary: summary === true && isTerminal,
      maxHops: tree === undefined ? maxTerminalHops : undefined,
      thrownAdvice,
    });
  }
}

/** Maximum number of hops in a tree that is shown by default: more would push the answer off the screen. */
const maxTerminalHops = 30;

type Events = AsyncIterable<MeshEvent>;

async function waitForEnd(events: Events): Promise<void> {
  for await (const { type } of events) if (type === "run:end") return;
}

/** Progress: updated in place on a terminal, appended in a pipe. Ends with the run's response. */
async function showProgress(events: Events, { stderr, env }: CommandIO): Promise<void> {
  const paint = paintFor(stderr, env);
  if (stderr.isTTY === true && env.TERM !== "dumb") {
    const live = openLiveHops(stderr, paint);
    try {
      for await (const event of events) {
        live.show(event);
        if (event.type === "run:end") return;
      }
    } finally {
      live.close();
    }
    return;
  }
  const printEvent = createEventLines(paint);
  for await (const event of events) {
    const line = printEvent(event);
    if (line !== undefined) stderr.write(`${line}\n`);
    if (event.type === "run:end") return;
  }
}

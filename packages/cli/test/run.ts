import { Readable } from "node:stream";
import type { CommandIO } from "../src/command-io.js";
import { main } from "../src/command-line.js";

/** What a command did. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command runs. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: CommandIO["env"];
  readonly stdin?: string;
  /** Pretends that stdout and stderr are a terminal. */
  readonly isTTY?: boolean;
  /** Width of stdout and stderr, in cells. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

/** Runs the command in this process, with collected output. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const asks = argv[0] === "ask" || argv[0] === "chat";
  const env = { ...(asks && { CONSTELLATION_JOURNAL: "" }), ...options.env }; // most tests keep no run
  const { io, stdout, stderr } = collectingIO({ ...options, env });
  const exitCode = await main(argv, io);
  return { exitCode, stdout: stdout.join(""), stderr: stderr.join("") };
}

/** Streams that collect what is written. */
export function collectingIO({
  cwd = "/",
  env = {},
  stdin = "",
  isTTY = false,
  columns = 100,
  signal = new AbortController().signal,
}: RunOptions = {}): { io: CommandIO; stdout: string[]; stderr: string[] } {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const output = (texts: string[]) => ({
    write: (text: string) => texts.push(text),
    isTTY,
    columns,
    rows: 40,
  });
  return {
    io: {
      stdin: Readable.from([stdin]),
      stdout: output(stdout),
      stderr: output(stderr),
      env,
      cwd,
      signal,
    },
    stdout,
    stderr,
  };
}

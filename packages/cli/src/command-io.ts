/** An output for text: a stream of the process, or a collector in a test. */
export interface Output {
  write(text: string): unknown;
  /** True on a terminal. */
  readonly isTTY?: boolean | undefined;
  /** Characters in a line of the terminal. */
  readonly columns?: number | undefined;
  /** Lines of the terminal. */
  readonly rows?: number | undefined;
}

/** The parts of the process that a command may use. */
export interface CommandIO {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that paths are relative to. */
  readonly cwd: string;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The streams, environment and folder of this process. */
export function processIO(signal: AbortSignal): CommandIO {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd(), signal };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Exit codes. 130 is the shell's code for Ctrl-C. */
export const exitCodes = {
  answered: 0,
  failed: 1,
  usage: 2,
  interrupted: 130,
} as const;

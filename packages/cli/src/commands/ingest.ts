import { resolve } from "node:path";
import { type CommandIO, exitCodes, type Output } from "../command-io.js";
import { asConfigurationError, ConfigurationError } from "../configuration-error.js";
import { importModule } from "../mesh/import-module.js";
import { countText } from "../terminal/format.js";
import { type Paint, paintFor } from "../terminal/paint.js";
import { type OutputFormat, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { cutToWidth } from "../terminal/width.js";

/** Command-line options of `ingest`. */
export interface IngestFlags {
  readonly store?: string;
  readonly country?: string;
  readonly city?: string;
  readonly source?: string;
  readonly sourceType?: string;
  readonly date?: string;
  readonly url?: string;
  readonly root?: string;
  readonly createTable?: true;
  readonly output: OutputFormat;
  readonly json?: true;
  readonly quiet?: true;
}

const packageName = "@constellation/librarian-rag-advisory";

/** Functions of the optional package. */
interface IngestModule {
  openStore(pathOrUrl: string, options: object): Promise<Store>;
  ingest(store: Store, paths: readonly string[], options: object): Promise<Report>;
}

interface Store {
  close(): Promise<void>;
}

interface Progress {
  readonly file: string;
  readonly filesDone: number;
  readonly files: number;
  readonly added: number;
}

interface Report {
  readonly files: number;
  readonly chunks: number;
  readonly added: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly problemCount: number;
  readonly problems: readonly {
    readonly file: string;
    readonly line?: number | undefined;
    readonly key?: string | undefined;
    readonly message: string;
  }[];
}

/** `constellation ingest`: documents, put into the store of a rag-advisory librarian. */
export async function ingest(
  paths: readonly string[],
  flags: IngestFlags,
  io: CommandIO,
): Promise<number> {
  const {
    store: named = io.env.CONSTELLATION_STORE,
    createTable,
    output,
    json: _,
    quiet,
    ...given
  } = flags;
  if (!named) {
    throw new ConfigurationError(
      "Name the store with --store FOLDER, or a Postgres server with CONSTELLATION_STORE=postgres://...",
    );
  }
  const module = await loadIngestModule(io.cwd);
  const isUrl = /^[a-z][a-z\d+.-]+:\/\//i.test(named);
  // Errors of the store and the ingest come from an option of the user; the URL of a server is not repeated.
  const withoutUrl = (message: string) => message.replaceAll(named, "the store");
  const store = await asConfigurationError(
    () =>
      module.openStore(isUrl ? named : resolve(io.cwd, named), {
        signal: io.signal,
        createSchema: createTable === true,
      }),
    withoutUrl,
  );
  const progress = quiet === true ? undefined : progressOn(io.stderr, paintFor(io.stderr, io.env));
  try {
    const report = await asConfigurationError(
      () =>
        module.ingest(
          store,
          paths.map((path) => resolve(io.cwd, path)),
          {
            ...given,
            root: resolve(io.cwd, given.root ?? "."),
            signal: io.signal,
            onProgress: progress?.show,
          },
        ),
      withoutUrl,
    );
    progress?.clear();
    if (output === "table") {
      io.stdout.write(summarizeReport(report));
      printProblems(report, io);
    } else await printData(report, output, io);
    return report.problemCount === 0 ? exitCodes.answered : exitCodes.failed;
  } finally {
    progress?.clear();
    await store.close();
  }
}

async function loadIngestModule(cwd: string): Promise<IngestModule> {
  const module = await importModule(packageName, cwd).catch((thrown: Error) => {
    throw new ConfigurationError(`ingest needs ${packageName}, which ${thrown.message}.`);
  });
  if (typeof module.ingest === "function" && typeof module.openStore === "function") {
    return module as unknown as IngestModule; // its two functions were looked for
  }
  throw new ConfigurationError(
    `The ${packageName} that is installed cannot ingest. Run: npm install ${packageName}@latest`,
  );
}

/** One line, updated in place, on a terminal; a line for each file in a pipe. */
function progressOn(output: Output, paint: Paint) {
  let isDrawn = false;
  let done = 0;
  const clear = () => {
    if (isDrawn) output.write("\u001b[1G\u001b[0K");
    isDrawn = false;
  };
  return {
    clear,
    show({ file, filesDone, files, added }: Progress) {
      const line = `${filesDone}/${files} ${sanitizeLine(file, 200)}, ${added} chunks added`;
      if (output.isTTY === true) {
        clear();
        output.write(paint("dim", cutToWidth(line, (output.columns ?? 80) - 1)));
        isDrawn = true;
      } else if (filesDone > done) output.write(`${line}\n`);
      done = filesDone;
    },
  };
}

function summarizeReport({ files, chunks, added, unchanged, removed }: Report): string {
  return `${countText(files, "file")}, ${countText(chunks, "chunk")}: ${added} added, ${unchanged} unchanged, ${removed} removed\n`;
}

function printProblems({ problems, problemCount }: Report, { stderr, env }: CommandIO): void {
  const paint = paintFor(stderr, env);
  for (const { file, line, key, message } of problems) {
    const place = [sanitizeLine(file), ...(line === undefined ? [] : [line])].join(":");
    const what = key === undefined ? "" : `${sanitizeLine(key)}: `;
    stderr.write(`${paint("yellow", place)}: ${what}${sanitizeLine(message)}\n`);
  }
  const more = problemCount - problems.length;
  if (more > 0) stderr.write(`and ${more} problems more\n`);
}

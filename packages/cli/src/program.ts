import { Argument, Command, InvalidArgumentError, Option } from "commander";
import type { CommandIO } from "./command-io.js";
import type { AskFlags } from "./commands/ask.js";
import type { CheckFlags } from "./commands/check.js";
import type { Shell } from "./commands/completion.js";
import type { EvalFlags } from "./commands/eval.js";
import type { IngestFlags } from "./commands/ingest.js";
import type { ProjectKind } from "./commands/init.js";
import type { ListFlags } from "./commands/list.js";
import type { McpFlags } from "./commands/mcp.js";
import type { ReplayFlags } from "./commands/replay.js";
import type { ServeFlags } from "./commands/serve.js";
import { ConfigurationError } from "./configuration-error.js";
import { parseDuration } from "./duration.js";
import { didYouMean } from "./nearest.js";
import { ownVersion } from "./own-version.js";

/**
 * The commands, with their options and help. The implementation of a command is imported when it runs,
 * so that help and completion start fast.
 *
 * @param ended - Called with the exit code of the command that ran.
 */
export function createProgram(io: CommandIO, ended: (exitCode: number) => void): Command {
  const program = new Command("constellation");
  program
    .description("Asks, checks, serves and tests a mesh of librarians.")
    .version(ownVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .showHelpAfterError("(see constellation --help)")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .addHelpText(
      "after",
      `
Examples:
  $ constellation init                          create a mesh to try
  $ constellation ask "Why is checkout down?"   ask it
  $ constellation check                         find its problems before the first question

Exit codes: 0 answer, 1 no answer or a problem found, 2 wrong usage or configuration, 130 Ctrl-C.`,
    );
  const run =
    <Args extends readonly unknown[]>(action: (...args: Args) => Promise<number>) =>
    async (...args: Args): Promise<void> =>
      ended(await action(...args));

  withAskOptions(program.command("ask"))
    .description("Asks a question and prints the answer with its sources.")
    .argument("<question...>", "the question; - reads it from stdin")
    .option("--trace", "send the run to an OpenTelemetry collector and print the trace id")
    .addHelpText(
      "after",
      `
Examples:
  $ constellation ask "How do I roll back checkout?"
  $ constellation ask --mesh incident.yaml --to k8s --timeout 10s "What is wrong in shop?"
  $ constellation ask --json "Which pods crash?" > run.json
  $ git diff | constellation ask -

Progress goes to stderr, the answer to stdout.`,
    )
    .action(
      run(async (words: string[], flags: AskFlags) =>
        (await import("./commands/ask.js")).ask(words, flags, io),
      ),
    );

  withAskOptions(program.command("chat"))
    .description("Asks question after question, in a terminal or from lines of stdin.")
    .addHelpText(
      "after",
      `
Examples:
  $ constellation chat
  $ constellation chat --to docs < questions.txt

Each question carries the previous answers as metadata.conversation. Ctrl-C cancels a question,
Ctrl-D ends.`,
    )
    .action(run(async (flags: AskFlags) => (await import("./commands/chat.js")).chat(flags, io)));

  withMesh(program.command("check"))
    .description(
      "Finds cycles, unknown targets, chains that are too deep and unreachable librarians.",
    )
    .addOption(json().conflicts("mermaid"))
    .addOption(mermaid("print the allowed delegations as a Mermaid flowchart"))
    .addHelpText(
      "after",
      `
Examples:
  $ constellation check
  $ constellation check --mermaid > mesh.mmd

Exits with 1 when there is a problem.`,
    )
    .action(
      run(async (flags: CheckFlags) => (await import("./commands/check.js")).check(flags, io)),
    );

  withMesh(program.command("list"))
    .description("Lists the librarians and what they answer.")
    .addOption(json().conflicts("ids"))
    .option("--ids", "print the ids alone, one a line")
    .action(run(async (flags: ListFlags) => (await import("./commands/list.js")).list(flags, io)));

  withMesh(program.command("serve"))
    .description("Serves the mesh over HTTP: ask, stream, console page, MCP and A2A.")
    .option("--host <name>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 chooses a free one", portOf, 8080)
    .option("--url <url>", "public URL, when a proxy is in front", urlOf)
    .option("--jwks-url <url>", "URL of the public keys of the identity provider")
    .option("--issuer <text>", "required issuer of a token")
    .option("--audience <text>", "required audience of a token")
    .option("--allow-anonymous", "require no token, on any host")
    .option(
      "--trust-proxy <address...>",
      "proxies whose x-forwarded-for names the client: addresses or networks such as 10.0.0.0/8",
    )
    .option("--no-console", "serve no console page")
    .option("--no-mcp", "serve no MCP at /mcp")
    .option("--no-a2a", "serve no A2A agent")
    .option("--log", "log each request to stderr as a line of JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ constellation serve
  $ CONSTELLATION_TOKENS=ann:$(openssl rand -hex 32) constellation serve --host 0.0.0.0
  $ constellation serve --host 0.0.0.0 --url https://mesh.example.com \\
      --jwks-url https://id.example.com/jwks --issuer https://id.example.com --audience mesh

Tokens come from CONSTELLATION_TOKENS: \`user:token\` or a token alone, separated by commas. Other
hosts than loopback need tokens, a JWKS or --allow-anonymous. Ctrl-C stops it after requests in
progress have ended.`,
    )
    .action(
      run(async (flags: ServeFlags) => (await import("./commands/serve.js")).serve(flags, io)),
    );

  withMesh(program.command("mcp"))
    .description("Serves the mesh to the MCP client that starts it, over stdin and stdout.")
    .option("--user <id>", "id of the user", textOf)
    .addHelpText(
      "after",
      `
In the configuration of an MCP client:
  { "command": "npx", "args": ["constellation", "mcp", "--mesh", "/path/to/constellation.yaml"] }`,
    )
    .action(run(async (flags: McpFlags) => (await import("./commands/mcp.js")).mcp(flags, io)));

  withMesh(program.command("eval"))
    .description("Asks the questions of a file and compares the answers with the expected ones.")
    .argument("<file>", "cases as JSON lines: { id, query, expect }")
    .addOption(json("print the report as JSON"))
    .option("--timeout <duration>", "maximum duration of one case: 500ms, 10s, 2m", durationOf)
    .option("--concurrency <number>", "maximum number of cases at once", countOf)
    .option("-q, --quiet", "show no progress")
    .addHelpText(
      "after",
      `
Example:
  $ constellation eval cases.jsonl

A line of the file:
  {"id": "rollback", "query": "How do I roll back?", "expect": {"mustMention": ["rollout undo"]}}

Exits with 1 when a case fails.`,
    )
    .action(
      run(async (file: string, flags: EvalFlags) =>
        (await import("./commands/eval.js")).evaluate(file, flags, io),
      ),
    );

  program
    .command("ingest")
    .description("Adds Markdown, CSV and JSON to the store of a rag-advisory librarian.")
    .argument("<path...>", "files and folders")
    .option("--store <folder>", "folder of the store (default: CONSTELLATION_STORE)")
    .option("--country <code>", "country of documents without one: IN, US or UK")
    .option("--city <name>", "city of documents without one")
    .option("--source <text>", "source to cite for documents without one")
    .option("--source-type <type>", "kind of that source")
    .option("--date <date>", "date of documents without one, as in 2026-01-31")
    .option("--url <url>", "address of documents without one")
    .option("--create-table", "create the table of a Postgres server if it is missing")
    .option("--root <folder>", "folder that document names are relative to (default: this one)")
    .addOption(json("print the report as JSON"))
    .option("-q, --quiet", "show no progress")
    .addHelpText(
      "after",
      `
Examples:
  $ constellation ingest --store data/market --country IN market/*.csv notes/
  $ CONSTELLATION_STORE=postgres://ann:...@db/market constellation ingest market/

Ingesting the same documents again adds nothing. Exits with 1 when some cannot be read.`,
    )
    .action(
      run(async (paths: string[], flags: IngestFlags) =>
        (await import("./commands/ingest.js")).ingest(paths, flags, io),
      ),
    );

  withAskOptions(program.command("replay"))
    .description("Prints a saved run again, or asks its question again.")
    .argument("<file>", "output of ask --json, or a run record")
    .option("--ask", "ask the question again, now")
    .addHelpText(
      "after",
      `
Examples:
  $ constellation ask --json "Which pods crash?" > run.json
  $ constellation replay run.json
  $ constellation replay run.json --mermaid > run.mmd
  $ constellation replay run.json --ask`,
    )
    .action(
      run(async (file: string, flags: ReplayFlags) =>
        (await import("./commands/replay.js")).replay(file, flags, io),
      ),
    );

  program
    .command("init")
    .description("Creates a new mesh, or a new librarian package, with tests that pass.")
    .addArgument(
      new Argument("[what]", "what to create").choices(["mesh", "librarian"]).default("mesh"),
    )
    .argument("[folder]", "target folder; for a mesh, this one by default")
    .addHelpText(
      "after",
      `
Examples:
  $ constellation init
  $ constellation init mesh help-desk
  $ constellation init librarian contacts

It never overwrites a file.`,
    )
    .action(
      run(async (what: ProjectKind, folder: string | undefined) =>
        (await import("./commands/init.js")).init(what, folder, io),
      ),
    );

  program
    .command("schema")
    .description("Prints the JSON Schema of mesh files, for editors.")
    .addHelpText(
      "after",
      `
Example:
  $ constellation schema > mesh.schema.json

The first line of constellation.yaml is then: # yaml-language-server: $schema=mesh.schema.json`,
    )
    .action(run(async () => (await import("./commands/schema.js")).schema(io)));

  program
    .command("help")
    .description("Prints help for a command.")
    .argument("[command]", "the command")
    .action((name: string | undefined) => {
      if (name === undefined) return program.outputHelp();
      const names = program.commands.map((command) => command.name());
      const command = program.commands[names.indexOf(name)];
      if (command === undefined) {
        throw new ConfigurationError(
          `There is no command "${name}".${didYouMean(name, names)} Valid commands: ${names.join(", ")}.`,
        );
      }
      command.outputHelp();
    });

  program
    .command("completion")
    .description("Prints a script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `
Examples:
  $ source <(constellation completion bash)
  $ constellation completion fish > ~/.config/fish/completions/constellation.fish`,
    )
    .action(
      run(async (shell: Shell) =>
        (await import("./commands/completion.js")).completion(shell, program, io),
      ),
    );

  return program;
}

function withMesh(command: Command): Command {
  return command.option(
    "-m, --mesh <file>",
    "mesh file or module (default: constellation.yaml, mesh.yaml or constellation.js here)",
    textOf,
  );
}

function withAskOptions(command: Command): Command {
  return withMesh(command)
    .option("-t, --to <id>", "ask this librarian instead of the entry of the mesh")
    .option("--timeout <duration>", "maximum duration of the run: 500ms, 10s, 2m", durationOf)
    .option("--user <id>", "id of the user", textOf)
    .addOption(json("print one JSON document, { response, run }").conflicts(["mermaid", "tree"]))
    .addOption(mermaid("print the run as a Mermaid flowchart").conflicts("tree"))
    .option("--debug", "print the stack of what a librarian throws")
    .option("--tree", "print the tree of hops too (default on a terminal)")
    .option("-q, --quiet", "show no progress");
}

function json(description = "print JSON"): Option {
  return new Option("--json", description);
}

function mermaid(description: string): Option {
  return new Option("--mermaid", description);
}

function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new InvalidArgumentError(
      "Expected a time such as 500ms, 10s or 2m. It is from 1ms to 24 days.",
    );
  return ms;
}

function textOf(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Expected a text that is not blank.");
  return text;
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("Expected a number from 1.");
  return Number(text);
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("Expected a number from 0 to 65535.");
  }
  return Number(text);
}

function urlOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError("Expected an http or https URL.");
  }
  return text;
}

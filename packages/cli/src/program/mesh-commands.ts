import { Argument, type Command } from "commander";
import type { CommandIO } from "../command-io.js";
import type { CheckFlags } from "../commands/check.js";
import type { DevFlags } from "../commands/dev.js";
import type { DoctorFlags } from "../commands/doctor.js";
import type { ListFlags } from "../commands/list.js";
import type { McpFlags } from "../commands/mcp.js";
import type { NatsFlags } from "../commands/nats.js";
import type { ServeFlags } from "../commands/serve.js";
import {
  as,
  journal,
  mermaid,
  type RunCommand,
  readCount,
  readNonBlank,
  readPort,
  readUrl,
  withMesh,
  withOutput,
} from "./command-options.js";
import { createHelpText } from "./help-text.js";

/** Adds the commands about a mesh: `check`, `doctor`, `list`, `serve`, `nats`, `dev`, `mcp`, `schema`. */
export function addMeshCommands(program: Command, io: CommandIO, run: RunCommand): void {
  const help = createHelpText(io);
  withOutput(withMesh(program.command("check")), "what is found", ["mermaid"])
    .description(
      "Finds cycles, unknown targets, chains that are too deep and unreachable librarians.",
    )
    .addOption(mermaid("print the allowed delegations as a Mermaid flowchart"))
    .option(
      "--health",
      "also ask each librarian whether it could answer: its data, server, tool or agent",
    )
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation check
  $ constellation check --health
  $ constellation check --mermaid > mesh.mmd

Exits with 1 when there is a problem.`),
    )
    .action(
      run(async (flags: CheckFlags) => (await import("../commands/check.js")).check(flags, io)),
    );

  withOutput(withMesh(program.command("doctor")), "what is found")
    .description(
      "Finds what keeps the mesh from answering, and which descriptions and examples route questions wrongly.",
    )
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation doctor
  $ constellation doctor --output json

Starts each librarian, checks its health, and asks the model for one word, where the mesh has one. Exits with 1
when there is a problem; advice does not count.`),
    )
    .action(
      run(async (flags: DoctorFlags) => (await import("../commands/doctor.js")).doctor(flags, io)),
    );

  withOutput(withMesh(program.command("list")), "the librarians", ["ids"])
    .description("Lists the librarians and what they answer.")
    .option("--ids", "print the ids alone, one a line")
    .action(run(async (flags: ListFlags) => (await import("../commands/list.js")).list(flags, io)));

  withMesh(program.command("serve"))
    .description("Serves the mesh over HTTP: ask, stream, console page, MCP and A2A.")
    .option("--host <name>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 chooses a free one", readPort, 8080)
    .option("--url <url>", "public URL, when a proxy is in front", readUrl)
    .option("--jwks-url <url>", "URL of the public keys of the identity provider")
    .option("--issuer <text>", "required issuer of a token")
    .option("--audience <text>", "required audience of a token")
    .option("--allow-anonymous", "require no token, on any host")
    .option(
      "--trust-proxy <address...>",
      "proxies whose x-forwarded-for names the client: addresses or networks such as 10.0.0.0/8",
    )
    .option(
      "--librarian <id...>",
      "load these librarians alone, and serve them over the mesh file's `transport`, without HTTP",
    )
    .option(
      "--concurrency <number>",
      "maximum number of requests in progress (default: 64)",
      readCount,
    )
    .option("--requests-per-minute <number>", "of one user or address (default: 300)", readCount)
    .option("--body-bytes <number>", "maximum size of a body (default: 262144)", readCount)
    .option(
      "--open <endpoint...>",
      "endpoints without a token: console, healthz, readyz, metrics, openapi, librarians",
    )
    .option("--no-console", "serve no console page")
    .option("--no-mcp", "serve no MCP at /mcp")
    .option("--no-a2a", "serve no A2A agent")
    .option("--log", "log each request to stderr as a line of JSON")
    .addOption(journal("where runs outlive the process: a SQLite file, or a Postgres address"))
    .option("--no-journal", "keep no runs, and wait for no one")
    .option("--record-content", "record what was said in each hop, redacted")
    .option("--debug", "record stacks of what librarians throw too; on loopback only")
    .option(
      "--trace-url <url>",
      "address of a trace for the console's link: http://localhost:16686/trace/{traceId}",
      readNonBlank,
    )
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation serve
  $ constellation serve --librarian docs
  $ CONSTELLATION_TOKENS=ann:$(openssl rand -hex 32) constellation serve --host 0.0.0.0
  $ constellation serve --host 0.0.0.0 --url https://mesh.example.com \\
      --jwks-url https://id.example.com/jwks --issuer https://id.example.com --audience mesh

Tokens come from CONSTELLATION_TOKENS: \`user:token\` or a token alone, separated by commas. Other
hosts than loopback need tokens, a JWKS or --allow-anonymous. Ctrl-C stops it after requests in
progress have ended.`),
    )
    .action(
      run(async (flags: ServeFlags) => (await import("../commands/serve.js")).serve(flags, io)),
    );

  program
    .command("nats")
    .description(
      "Sets a NATS server up for a mesh: accounts, permissions and the buckets of claims.",
    )
    .addArgument(new Argument("<action>", "what to do").choices(["setup"]))
    .option("--name <mesh>", "name of the mesh", "constellation")
    .option("--caller <member=ids...>", "a member and the librarians that it calls", [])
    .option("--librarian <member=ids...>", "a member and the librarians that it serves", [])
    .option("--servers <address...>", "servers to make the buckets on, as an administrator")
    .option(
      "--creds <file>",
      "credentials of the administrator (default: NATS_USER, NATS_PASSWORD)",
    )
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation nats setup --name shop --caller desk=docs,deploy --librarian ops=docs,deploy
  $ NATS_USER=shop-admin NATS_PASSWORD=... constellation nats setup --name shop \\
      --servers nats://nats-0:4222

Prints the part of the server's configuration. A member that calls and serves is named twice. With
--servers the buckets of claims are made, each on a server of its own where there are three.`),
    )
    .action(
      run(async (_action: string, flags: NatsFlags) =>
        (await import("../commands/nats.js")).setUpNats(flags, io),
      ),
    );

  withMesh(program.command("dev"))
    .description(
      "Serves the mesh for its author: again after each change, with stacks and prompts.",
    )
    .option("--port <number>", "port to listen on; 0 chooses a free one", readPort, 8080)
    .addOption(
      journal(
        "file or Postgres address of the journal",
        ".constellation/journal.db, of any mesh file",
      ),
    )
    .option(
      "--trace-url <url>",
      "address of a trace for the console's link: http://localhost:16686/trace/{traceId}",
      readNonBlank,
    )
    .option("--no-open", "do not open the page in a browser")
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation dev
  $ constellation runs show last --hops

It watches modules, JSON and YAML below the folder of the mesh file. Runs outlive a change. It listens
on loopback only.`),
    )
    .action(run(async (flags: DevFlags) => (await import("../commands/dev.js")).dev(flags, io)));

  withMesh(program.command("mcp"))
    .description("Serves the mesh to the MCP client that starts it, over stdin and stdout.")
    .addOption(as("user of each question"))
    .addHelpText(
      "after",
      help(`
In the configuration of an MCP client:
  { "command": "npx", "args": ["@constellation/cli", "mcp", "--mesh", "/path/to/constellation.yaml"] }`),
    )
    .action(run(async (flags: McpFlags) => (await import("../commands/mcp.js")).mcp(flags, io)));

  program
    .command("schema")
    .description("Prints the JSON Schema of mesh files, for editors.")
    .addHelpText(
      "after",
      help(`
Example:
  $ constellation schema > mesh.schema.json

The first line of constellation.yaml is then: # yaml-language-server: $schema=mesh.schema.json`),
    )
    .action(run(async () => (await import("../commands/schema.js")).schema(io)));
}

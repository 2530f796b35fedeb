import { defaultMeshFiles } from "../src/mesh/find-mesh.js";
import { meshFileJsonSchema } from "../src/mesh/mesh-file.schema.js";
import { meshFileLimits } from "../src/mesh/parse-yaml.js";
import { createProgram } from "../src/program.js";
import { collectingIO, run } from "./run.js";

/** `docs/reference/cli.md`: what the command prints of itself, and the schema of mesh files. */
export async function referencePage(): Promise<string> {
  const { stdout: overview } = await run(["--help"]);
  const names = createProgram(collectingIO().io, () => {}).commands.map((one) => one.name());
  const commands = await Promise.all(
    names.map(async (name) => {
      const { stdout } = await run([name, "--help"]);
      return [`## constellation ${name}`, fenced(stdout)].join("\n\n");
    }),
  );
  return `${[
    "# Command line",
    "<!-- Made from the code by `npx vitest run packages/cli/test/reference.test.ts -u`: change it there. -->",
    "The command `constellation` is in the package `@constellation/cli`.",
    fenced(overview),
    ...commands,
    environment,
    await meshFile(),
  ].join("\n\n")}\n`;
}

const environment = `## Environment

| Variable | Does |
| --- | --- |
| \`NO_COLOR\` | Leaves colours out, when it is set to anything. |
| \`FORCE_COLOR\` | Uses colours in pipes too. \`0\`: nowhere. |
| \`ANTHROPIC_API_KEY\` | Key of a mesh file's \`model\` with \`provider: anthropic\`. Without it no model takes part. |
| \`OTEL_EXPORTER_OTLP_ENDPOINT\` | Sends traces and metrics of every command there. \`ask --trace\` sends to \`http://localhost:4318\` where it is not set. |
| \`JAEGER_UI\` | Address of Jaeger: \`ask --trace\` prints a link to the trace. |
| \`CONSTELLATION_STORE\` | Store of \`ingest\`: a folder, or \`postgres://...\`. |
| \`CONSTELLATION_JOURNAL\` | Journal where runs are kept and read, where nothing else names one: a file, or a Postgres address. Empty: \`ask\`, \`chat\` and \`serve\` keep none. |
| \`CONSTELLATION_TOKENS\` | Tokens that \`serve\` accepts: \`user:token\` or a token alone, separated by commas. |`;

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

async function meshFile(): Promise<string> {
  const schema = (await meshFileJsonSchema()) as Schema;
  const { librarians, model, telemetry, budget, budgets } = schema.properties ?? {};
  const [anthropic, compatible] = model?.oneOf ?? model?.anyOf ?? [];
  return [
    "# Mesh file",
    `A mesh is a YAML (or JSON) file, or a module whose default export is a router. Where no \`--mesh\` is given, the first of ${defaultMeshFiles.map((name) => `\`${name}\``).join(", ")} in the working directory is it. Unknown keys are refused. Errors name line and column. A file has at most ${meshFileLimits.bytes} bytes, ${meshFileLimits.tokens} YAML tokens (a line of key and value has five) and ${meshFileLimits.aliases} aliases.`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a mesh file names variables
    "`${NAME}` and `${NAME:-default}` in a value represent an environment variable, never for more than the value; an empty variable counts as unset, `$${` is a `${` that stays. A variable in plain text may be a number or a truth value; in quotes it is text.",
    "`constellation schema` prints the JSON Schema for editors; the package has it as `@constellation/cli/mesh.schema.json`.",
    table(schema),
    "## librarians",
    "One entry for each librarian. `use` names a package, found from the folder of the mesh file first and then beside the command, or a file. It exports `createLibrarian`, and `optionsSchema` (zod), against which `options` are checked. Options of the format `path` are relative to the mesh file. The other keys are put over what the package says of itself.",
    table(librarians?.items),
    "## model",
    "With `provider: anthropic`:",
    table(anthropic),
    "With `provider: openai-compatible`:",
    table(compatible),
    "## telemetry",
    table(telemetry),
    "## budget",
    table(budget),
    "## budgets",
    table(budgets),
  ].join("\n\n");
}

function table({ properties = {}, required = [] }: Schema = {}): string {
  const rows = Object.entries(properties).map(([key, schema]) => {
    const cells = [
      `\`${key}\``,
      typeOf(schema).replaceAll("|", "\\|"),
      required.includes(key) ? "yes" : "",
      schema.description ?? "",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| Key | Type | Needed |  |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function typeOf(schema: Schema): string {
  const { type, items, properties, anyOf, oneOf } = schema;
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${String(each)}\``).join(", ");
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(" or ");
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (properties !== undefined) return "map";
  return { string: "text", object: "map" }[type ?? ""] ?? type ?? "anything";
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/**
 * The `api` step of `npm run check`: what each entry of each published package exports, with types, is in
 * `etc`, and a change of it shows in the diff of a change. Needs the build. `npm run api` writes the reports.
 *
 * `--check` writes nothing and fails where a report differs.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { publishableWorkspaces } from "./workspaces.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const reports = join(root, "etc");
const temporary = join(root, "node_modules/.cache/api");
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

mkdirSync(reports, { recursive: true });
mkdirSync(temporary, { recursive: true });
const written = new Set<string>();
let hasProblem = false;

for (const { folder, manifest } of publishableWorkspaces()) {
  for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
    const types =
      typeof target === "object" && target !== null && "types" in target && target.types;
    if (typeof types !== "string") continue; // a file as it is
    report(folder, manifest.name + entry.slice(1), types);
  }
}

for (const file of readdirSync(reports)) {
  if (!file.endsWith(".api.md") || written.has(file)) continue;
  if (values.check) problem(`etc/${file} is of an entry that does not exist.`);
  else rmSync(join(reports, file));
}
if (hasProblem) console.log("Run `npm run build && npm run api`, and look at what changed.");
process.exitCode = hasProblem ? 1 : 0;

/** Writes or checks the report of one entry. */
function report(folder: string, entry: string, types: string): void {
  const name = entry.replace("@constellation/", "").replaceAll("/", "-");
  written.add(`${name}.api.md`);
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, folder, "package.json"),
    configObject: {
      projectFolder: join(root, folder),
      mainEntryPointFilePath: join(root, folder, types),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: "nodenext",
            target: "es2023",
            types: ["node"],
            strict: true,
            skipLibCheck: true,
          },
          files: [types],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: reports,
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        // What has no tag is public; docstrings are for readers of the code too, and not all of them are TSDoc.
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
  const { apiReportChanged, succeeded } = Extractor.invoke(config, {
    localBuild: !values.check,
    messageCallback: (message) => {
      if (message.logLevel === ExtractorLogLevel.Error) console.log(`${entry}: ${message.text}`);
      message.handled = true;
    },
  });
  if (values.check && apiReportChanged)
    problem(`${entry} exports something else than etc/${name}.api.md.`);
  else if (!succeeded) problem(`${entry}: no report could be made.`);
}

function problem(message: string): void {
  hasProblem = true;
  console.log(message);
}

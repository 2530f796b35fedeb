import { existsSync } from "node:fs";
import { dirname, extname, isAbsolute, join, resolve } from "node:path";
import type { Journal } from "@constellation/journal";
import { LineCounter } from "yaml";
import type { CommandIO } from "../command-io.js";
import { asConfigurationError, ConfigurationError } from "../configuration-error.js";
import { readTextFile } from "../read-text-file.js";
import { createMeshJournal, defaultJournal, isAddress, journalIn } from "./create-journal.js";
import { defaultMesh } from "./find-mesh.js";
import { yamlExtensions } from "./mesh-source.js";
import { meshFileLimits, parseYaml } from "./parse-yaml.js";
import { substituteEnvironment } from "./substitute-environment.js";

/** Options that select the journal to read. */
export interface JournalFlags {
  readonly journal?: string | undefined;
  readonly mesh?: string | undefined;
}

type JournalIO = Pick<CommandIO, "cwd" | "env">;

/**
 * Opens the journal that a command reads: the named one, else that of the mesh file, of the environment, or the default.
 *
 * @throws ConfigurationError where it is missing or cannot be opened.
 */
export async function openJournal(flags: JournalFlags, io: JournalIO): Promise<Journal> {
  const { cwd, env } = io;
  const own = flags.journal ?? (await readMeshJournal(flags.mesh, io));
  const place = own ?? journalIn(env) ?? defaultJournal;
  if (!isAddress(place) && !existsSync(resolve(cwd, place))) {
    throw new ConfigurationError(
      flags.journal === undefined
        ? `No journal here (${place}): \`constellation ask\`, \`dev\` and \`serve\` make it. \`--journal FILE\` names another.`
        : `${place}: file not found. Without --journal, that of the mesh file is read.`,
    );
  }
  const journal = createMeshJournal(place, cwd);
  // Opens the store only, so that reading does not register an owner.
  const lost = await asConfigurationError(() => journal.store.open());
  if (lost !== undefined) process.emitWarning(lost, { type: "ConstellationWarning" });
  return journal;
}

/**
 * The place in `journal` of a mesh file, without loading the rest of the mesh, whose packages may be missing here.
 *
 * @returns Its path, relative to `cwd`; `undefined` where the file is not there, or names none.
 */
async function readMeshJournal(
  mesh: string | undefined,
  { cwd, env }: JournalIO,
): Promise<string | undefined> {
  const file = mesh ?? defaultMesh(cwd);
  if (file === undefined || !yamlExtensions.has(extname(file).toLowerCase())) return undefined;
  const { bytes: maxBytes } = meshFileLimits;
  const text = await readTextFile({ path: resolve(cwd, file), shown: file, maxBytes });
  const written: unknown = parseYaml(text, new LineCounter(), file).get("journal");
  if (typeof written !== "string") return undefined;
  const { text: place, unset } = substituteEnvironment(written, env);
  const [missing] = unset;
  if (missing !== undefined) {
    throw new ConfigurationError(
      `${file}: journal: the environment variable ${missing} is not set. Set it, or name the journal with --journal.`,
    );
  }
  return isAddress(place) || isAbsolute(place) ? place : join(dirname(file), place);
}

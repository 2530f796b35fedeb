import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createFolder } from "@constellation/authoring";
import { didYouMean, nearestName, releaseVersion } from "@constellation/core/checks";
import { type CommandIO, exitCodes } from "../command-io.js";
import { asConfigurationError, ConfigurationError } from "../configuration-error.js";
import { librarianTemplate } from "../init/librarian-template.js";
import { meshTemplate } from "../init/mesh-template.js";
import type { Language, Template } from "../init/template.js";
import { paintFor } from "../terminal/paint.js";

/** What `init` can create. */
type ProjectKind = "mesh" | "librarian";

/** Command-line options of `init`. */
export interface InitFlags {
  readonly language?: Language;
}

const templates: Record<ProjectKind, Template> = {
  mesh: meshTemplate,
  librarian: librarianTemplate,
};

/**
 * `constellation init`: a new mesh, or a new librarian package. Never overwrites a file.
 *
 * @param what - `mesh` or `librarian`; any other word is the folder of a mesh.
 */
export async function init(
  what: string | undefined,
  folderAfter: string | undefined,
  { language = "ts" }: InitFlags,
  io: CommandIO,
): Promise<number> {
  const { kind, folder } = readProjectKind(what, folderAfter);
  if (kind === "librarian" && folder === undefined) {
    throw new ConfigurationError(
      "Name the folder of the librarian: constellation init librarian my-librarian",
    );
  }
  const target = resolve(io.cwd, folder ?? ".");
  const name = toProjectName(target);
  const files = templates[kind]({ name, range: `^${releaseVersion}`, language });
  const taken = Object.keys(files).filter((file) => existsSync(join(target, file)));
  if (taken.length > 0) {
    throw new ConfigurationError(
      `${folder ?? "This folder"} has ${taken.join(", ")} already. Name another folder: constellation init ${kind} FOLDER`,
    );
  }
  for (const [file, text] of Object.entries(files)) {
    await asConfigurationError(
      async () => {
        createFolder(dirname(join(target, file)));
        await writeFile(join(target, file), text, { flag: "wx" });
      },
      (message) => `${target} cannot be written: ${message}. Name another folder.`,
    );
  }
  printNext(kind, folder, Object.keys(files), io);
  return exitCodes.answered;
}

function readProjectKind(what = "mesh", folder?: string): { kind: ProjectKind; folder?: string } {
  const named = folder === undefined ? {} : { folder };
  if (what === "mesh" || what === "librarian") return { kind: what, ...named };
  const meant = nearestName(what, Object.keys(templates));
  if (folder === undefined && meant === undefined) return { kind: "mesh", folder: what };
  throw new ConfigurationError(
    `Unknown kind of project "${what}".${didYouMean(what, Object.keys(templates))} Valid: mesh, librarian.`,
  );
}

/** The folder's name, as a package and a librarian may be called. */
function toProjectName(folder: string): string {
  const words = basename(folder)
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["mesh"];
  return words.join("-").slice(0, 64);
}

function printNext(
  kind: ProjectKind,
  folder: string | undefined,
  files: readonly string[],
  { stdout, env }: CommandIO,
): void {
  const paint = paintFor(stdout, env);
  const steps = [
    ...(folder === undefined || folder === "." ? [] : [`cd ${folder}`]),
    "npm install",
    ...(kind === "mesh" ? ['npx @constellation/cli ask "How do I roll back checkout?"'] : []),
    "npm test",
  ];
  const made = files.map((file) => `${paint("green", "+")} ${file}`);
  stdout.write(`${made.join("\n")}\n\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}\n`);
}

import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { authorFrame } from "../author-frame.js";
import { ConfigurationError } from "../configuration-error.js";
import { findPackage } from "./find-package.js";
import { prepareTypescript } from "./prepare-typescript.js";

/** What a module exports. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Imports a package, or a file, as it is found from a folder; a package that is not there is looked
 * for beside this command.
 *
 * @throws ConfigurationError with what to do.
 */
export async function importModule(specifier: string, folder: string): Promise<ModuleExports> {
  const isFile = /^\.{1,2}\//.test(specifier) || isAbsolute(specifier);
  const path = resolve(folder, specifier);
  // Node.js would wait for a FIFO, and observe no signal meanwhile.
  if (isFile && statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new ConfigurationError("is a folder, a FIFO or a device. Name a file");
  }
  if (isFile) await prepareTypescript(path, dirname(path));
  const target = isFile ? pathToFileURL(path).href : (findPackage(specifier, folder) ?? specifier);
  try {
    return (await import(/* @vite-ignore */ target)) as ModuleExports; // a namespace is a record
  } catch (thrown) {
    const place = await findPlace(thrown, target);
    throw new ConfigurationError(describeFailure(thrown, specifier, isFile) + place, {
      cause: thrown,
    });
  }
}

/** Where the author's mistake is, in brackets; empty where that cannot be found. */
async function findPlace(thrown: unknown, target: string): Promise<string> {
  if (!(thrown instanceof Error) || !target.startsWith("file:")) return "";
  const { code } = thrown as NodeJS.ErrnoException;
  if (code !== undefined && moduleCodes.has(code)) return "";
  // The stack of a syntax error begins in Node.js: its place is found by parsing the file alone.
  const frame =
    thrown.name === "SyntaxError" ? undefined : authorFrame(thrown.stack ?? "", process.cwd());
  if (frame !== undefined) return ` (${frame})`;
  const checked = await run(process.execPath, ["--check", fileURLToPath(target)], {
    timeout: checkTimeoutMs,
    maxBuffer: 1_048_576,
  }).catch((failed: { readonly stderr?: unknown }) => failed);
  const [line = ""] = String(checked.stderr ?? "").split("\n", 1);
  return /:\d+$/.test(line) ? ` (${line})` : "";
}

/** Codes of Node.js for errors that are not in the module itself. */
const moduleCodes: ReadonlySet<string> = new Set([
  "ERR_MODULE_NOT_FOUND",
  "MODULE_NOT_FOUND",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
]);

const run = promisify(execFile);
/** Maximum time to find the place of a syntax error, in milliseconds. */
const checkTimeoutMs = 5_000;

function describeFailure(thrown: unknown, specifier: string, isFile: boolean): string {
  const { code, message = String(thrown) } = thrown as NodeJS.ErrnoException;
  const [line = ""] = message.split("\n", 1);
  const [said = ""] = line.split(" imported from ", 1);
  const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  if (isMissing && isFile && said.includes(basename(specifier))) return "file not found";
  if (isMissing && !isFile && said.includes(`'${specifier}'`)) {
    return `is not installed. Run: npm install ${specifier}`;
  }
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return "this Node.js cannot load this kind of file. Run: npm install --save-dev tsx. Or compile it to JavaScript";
  }
  return `cannot be loaded: ${said}`;
}

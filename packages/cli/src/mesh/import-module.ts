import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { authorFrame } from "../author-frame.js";
import { ConfigurationError } from "../configuration-error.js";

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
  const target = isFile ? pathToFileURL(path).href : (findPackage(specifier, folder) ?? specifier);
  try {
    return (await import(/* @vite-ignore */ target)) as ModuleExports; // a namespace is a record
  } catch (thrown) {
    const place = await placeOf(thrown, target);
    throw new ConfigurationError(whyNot(thrown, specifier, isFile) + place, { cause: thrown });
  }
}

/** URL of a package's entry for `import`, looked up from a folder; `undefined`: it is not there. */
function findPackage(specifier: string, folder: string): string | undefined {
  const require = createRequire(join(folder, "mesh.js"));
  try {
    return pathToFileURL(require.resolve(specifier)).href;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // A package only for `import` cannot be found by `require`: its entry is read from its manifest.
    if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return importEntry(specifier, require);
    return undefined;
  }
}

function importEntry(specifier: string, require: NodeJS.Require): string | undefined {
  const steps = specifier.split("/");
  const name = steps.splice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  const rest = steps.map((step) => `/${step}`).join("");
  for (const parent of require.resolve.paths(specifier) ?? []) {
    const manifest = join(parent, name, "package.json");
    if (!existsSync(manifest)) continue;
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports?: unknown };
    const entry = targetOf(entryOf(exports, `.${rest}`));
    return entry === undefined ? undefined : pathToFileURL(join(parent, name, entry)).href;
  }
  return undefined;
}

function entryOf(exports: unknown, path: string): unknown {
  if (typeof exports !== "object" || exports === null) return path === "." ? exports : undefined;
  const record = exports as Readonly<Record<string, unknown>>; // an object can be read by any key
  if (Object.keys(record).some((key) => key.startsWith("."))) return record[path];
  return path === "." ? record : undefined;
}

/** The first target whose condition holds for `import` in Node.js. */
function targetOf(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  for (const [condition, target] of Object.entries(entry)) {
    const found = ["import", "node", "default"].includes(condition) ? targetOf(target) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the author's mistake is, in brackets; empty where that cannot be found. */
async function placeOf(thrown: unknown, target: string): Promise<string> {
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

/** Errors of Node.js that are not about what the module says. */
const moduleCodes: ReadonlySet<string> = new Set([
  "ERR_MODULE_NOT_FOUND",
  "MODULE_NOT_FOUND",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
]);

const run = promisify(execFile);
/** Longest time to look for the place of a syntax error, in milliseconds. */
const checkTimeoutMs = 5_000;

function whyNot(thrown: unknown, specifier: string, isFile: boolean): string {
  const { code, message = String(thrown) } = thrown as NodeJS.ErrnoException;
  const [line = ""] = message.split("\n", 1);
  const [said = ""] = line.split(" imported from ", 1);
  const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  if (isMissing && isFile && said.includes(basename(specifier))) return "file not found";
  if (isMissing && !isFile && said.includes(`'${specifier}'`)) {
    return `is not installed. Run: npm install ${specifier}`;
  }
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return "Node.js cannot load this kind of file. Compile it to JavaScript, or start with a loader: NODE_OPTIONS='--import @oxc-node/core/register'";
  }
  return `cannot be loaded: ${said}`;
}

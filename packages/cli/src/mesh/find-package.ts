import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** URL of a package's entry for `import`, looked up from a folder; `undefined`: it is not there. */
export function findPackage(specifier: string, folder: string): string | undefined {
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

/** URL of a package's entry for `import`, from its manifest; `undefined` where it has none. */
export function importEntry(specifier: string, require: NodeJS.Require): string | undefined {
  const steps = specifier.split("/");
  const name = steps.splice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  const rest = steps.map((step) => `/${step}`).join("");
  for (const parent of require.resolve.paths(specifier) ?? []) {
    const manifest = join(parent, name, "package.json");
    if (!existsSync(manifest)) continue;
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports?: unknown };
    const entry = findTarget(findEntry(exports, `.${rest}`));
    return entry === undefined ? undefined : pathToFileURL(join(parent, name, entry)).href;
  }
  return undefined;
}

function findEntry(exports: unknown, path: string): unknown {
  if (typeof exports !== "object" || exports === null) return path === "." ? exports : undefined;
  const record = exports as Readonly<Record<string, unknown>>; // an object can be read by any key
  if (Object.keys(record).some((key) => key.startsWith("."))) return record[path];
  return path === "." ? record : undefined;
}

/** The first target whose condition holds for `import` in Node.js. */
function findTarget(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  for (const [condition, target] of Object.entries(entry)) {
    const found = ["import", "node", "default"].includes(condition)
      ? findTarget(target)
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

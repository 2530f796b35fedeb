import { createRequire } from "node:module";
import { join } from "node:path";
import { importEntry } from "./find-package.js";

/** Whether this Node.js runs TypeScript by itself. Types of Node.js 20 do not know the property. */
const { typescript } = process.features as { readonly typescript?: string | false };

let prepared: Promise<void> | undefined =
  typescript === undefined || typescript === false ? undefined : Promise.resolve();

/**
 * Lets this process import TypeScript with the `tsx` of the project, where Node.js does not do it alone, as before
 * 22.18. Without `tsx` nothing changes: another loader may be there, or the import says what to do.
 *
 * @param path - Of the file that will be imported.
 * @param folder - Where `tsx` is looked for, and above.
 */
export async function prepareTypescript(path: string, folder: string): Promise<void> {
  if (!/\.m?ts$/.test(path)) return;
  if (prepared === undefined) {
    const entry = importEntry("tsx/esm/api", createRequire(join(folder, "mesh.js")));
    if (entry === undefined) return;
    prepared = register(entry);
  }
  await prepared; // the librarians of a mesh are loaded side by side: all of them wait
}

async function register(entry: string): Promise<void> {
  const tsx = (await import(/* @vite-ignore */ entry)) as { register: () => unknown };
  tsx.register();
}

import type { LibrarianDefinition } from "@constellation/core";
import type { z } from "zod";
import { ConfigurationError } from "../configuration-error.js";
import { importModule } from "./import-module.js";
import type { MeshFileLibrarian } from "./mesh-file.schema.js";
import type { MeshSource } from "./mesh-source.js";
import { OptionsShape } from "./options-shape.js";
import { schemaProblems } from "./schema-problems.js";

type Fields = Omit<MeshFileLibrarian, "use" | "options">;

/**
 * Makes a librarian of an entry of a mesh file: its package is imported, its options are checked.
 *
 * @throws ConfigurationError with a line for each thing that is wrong, and its place in the file.
 */
export async function loadLibrarian(
  source: MeshSource,
  index: number,
  { use, options = {}, ...fields }: MeshFileLibrarian,
): Promise<LibrarianDefinition> {
  const at = ["librarians", index];
  const fail = (path: readonly PropertyKey[], message: string): never => {
    throw new ConfigurationError(source.problem(path, message));
  };
  const module = await importModule(use, source.folder).catch((thrown: Error) =>
    fail([...at, "use"], `"${use}": ${source.redact(thrown.message)}.`),
  );
  const { createLibrarian, optionsSchema } = module;
  if (typeof createLibrarian !== "function") {
    return fail([...at, "use"], `"${use}" exports no createLibrarian, so it is not a librarian.`);
  }
  const shape = new OptionsShape(optionsSchema);
  const taken = takeOptions(fields, options, shape, (key) =>
    fail([...at, "options", key], `is also given beside \`options:\`. Keep one of them.`),
  );
  const resolved = shape.withPaths(taken, source.folder);
  if (isSchema(optionsSchema)) {
    const checked = await optionsSchema.safeParseAsync(resolved);
    if (!checked.success) {
      const findPath = (path: readonly PropertyKey[]) => {
        const [first] = path;
        const isField = first !== undefined && Object.hasOwn(fields, first);
        return [...at, ...(isField ? [] : ["options"]), ...path];
      };
      const problems = schemaProblems(source, checked.error.issues, { findPath, shape });
      throw new ConfigurationError(problems.join("\n"));
    }
  }
  try {
    const made: unknown = await createLibrarian(resolved);
    const { cache, services, ...others } = fields;
    const kept = cache === undefined ? {} : { cache: await createCache(cache) };
    const left = services === false ? { services: undefined } : {};
    return Object.assign({}, made, others, kept, left) as LibrarianDefinition; // the router checks it
  } catch (thrown) {
    return fail(at, `"${use}" rejected its options: ${source.redact((thrown as Error).message)}`);
  }
}

/** The cache that an entry asks for; its package is loaded only then. */
async function createCache({ maxEntries, ...options }: NonNullable<Fields["cache"]>) {
  const { createLruCache } = await import("@constellation/authoring/cache");
  return { ...options, store: createLruCache({ maxEntries }) };
}

/** Options for the package: its own, and the fields of the entry that it accepts. */
function takeOptions(
  fields: Fields,
  options: Readonly<Record<string, unknown>>,
  shape: OptionsShape,
  twice: (key: string) => never,
): Readonly<Record<string, unknown>> {
  for (const key of Object.keys(fields)) if (Object.hasOwn(options, key)) twice(key);
  const known = new Set(shape.keysAt([]));
  const shared = Object.entries(fields).filter(([key]) => known.has(key));
  return { ...Object.fromEntries(shared), ...options };
}

function isSchema(value: unknown): value is z.ZodType {
  return typeof (value as Partial<z.ZodType> | undefined)?.safeParseAsync === "function";
}

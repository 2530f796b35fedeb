import { dirname, extname, resolve } from "node:path";
import { createBlend } from "@constellation/authoring";
import {
  type AIClient,
  createRouter,
  MeshError,
  type Router,
  type RouterOptions,
  withDeadline,
} from "@constellation/core";
import type { Journal } from "@constellation/journal";
import { asConfigurationError, ConfigurationError } from "../configuration-error.js";
import { createMemoryJournal, createMeshJournal, usableJournal } from "./create-journal.js";
import { createModel, type MadeModel } from "./create-model.js";
import { createMeshTransport, type MadeTransport } from "./create-transport.js";
import { importModule } from "./import-module.js";
import { loadLibrarian } from "./load-librarian.js";
import { type MeshFile, meshFileSchema } from "./mesh-file.schema.js";
import { type MeshSource, readMeshSource, yamlExtensions } from "./mesh-source.js";
import { OptionsShape } from "./options-shape.js";
import { schemaProblems } from "./schema-problems.js";

/** A loaded mesh. Close its router when done. */
export interface Mesh {
  /** Its name in traces and records. */
  readonly name: string;
  /** Absolute path of the file it comes from. */
  readonly file: string;
  readonly router: Router;
  /** The model its librarians may use. */
  readonly ai?: AIClient | undefined;
  /** Notices for the user, such as a model without a key. */
  readonly notices: readonly string[];
  /** The file's `telemetry`, for `startTelemetry`. */
  readonly telemetry?: MeshFile["telemetry"];
  /** Brings in the librarians of other processes. The router closes it. */
  readonly transport?: MadeTransport | undefined;
  /** Ids of the librarians in the file. */
  readonly own?: readonly string[] | undefined;
  /** The file's `server`, for `createServer`. */
  readonly server?: MeshFile["server"];
  /** The journal of its runs. A mesh that is a module attaches its own; this one then holds only ended runs. */
  readonly journal?: Journal | undefined;
  /** Whether the journal outlives the process. */
  readonly keepsJournal?: boolean | undefined;
  /** The file's `mcp`, for `createMcpHandler` and `serveStdio`. */
  readonly mcp?: MeshFile["mcp"];
}

/** Where a mesh is loaded. */
export interface LoadMeshOptions {
  /**
   * Folder the file is relative to.
   *
   * @default process.cwd()
   */
  readonly cwd?: string | undefined;
  /**
   * Environment variables.
   *
   * @default process.env
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Ids of the librarians to load. All of the file, where not given. */
  readonly only?: readonly string[] | undefined;
  /**
   * As the router's `debug`: for the author of librarians.
   *
   * @default false
   */
  readonly debug?: boolean | undefined;
  /** Path of a SQLite file, relative to `cwd`, or address of a Postgres database: where runs are journaled, instead of the file's `journal`; `false`: nowhere. */
  readonly journal?: string | false | undefined;
  /** Default for `journal`, where the file names none either. Ignored where it cannot be written. */
  readonly defaultJournal?: string | undefined;
  /** Whether a mesh without a journal gets one in memory for its threads. */
  readonly hasThreads?: boolean | undefined;
  /** Modules, relative to `cwd`, to load instead of those that the file names, by the id of the librarian. */
  readonly replacements?: Readonly<Record<string, string>> | undefined;
  /** Aborts the loading of packages. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum time for a package to load and to create its librarian, in milliseconds. */
export const loadTimeoutMs = 30_000;

const moduleExtensions: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts"]);

/**
 * Loads a mesh from a YAML file, or from a module whose default export is a router.
 *
 * @throws ConfigurationError whose message has a line for each thing that is wrong, with its place.
 *
 * @example
 * ```ts
 * const { router } = await loadMesh("constellation.yaml");
 * ```
 */
export async function loadMesh(file: string, options: LoadMeshOptions = {}): Promise<Mesh> {
  const { cwd = process.cwd(), env = process.env, signal } = options;
  const path = resolve(cwd, file);
  const extension = extname(path).toLowerCase();
  if (moduleExtensions.has(extension)) {
    const mesh = await loadModule(path, file, signal);
    const { journal } = options;
    return journal === undefined || journal === false
      ? mesh
      : { ...mesh, journal: createMeshJournal(journal, cwd) };
  }
  if (yamlExtensions.has(extension)) {
    const source = await readMeshSource(path, { cwd, env });
    return loadSource(source, env, { ...options, cwd });
  }
  throw new ConfigurationError(
    `${file}: a mesh is a .yaml, .yml or .json file, or a .js, .mjs or .ts module.`,
  );
}

async function loadModule(path: string, shown: string, signal?: AbortSignal): Promise<Mesh> {
  const exported = () =>
    importModule(path, "/").then(
      async (module): Promise<unknown> => await module.default,
      (thrown: Error) => {
        throw new ConfigurationError(`${shown}: ${thrown.message}.`);
      },
    );
  const router = await loadInTime(exported, `${shown}: its router`, signal);
  if (!isRouter(router)) {
    throw new ConfigurationError(
      `${shown}: its default export is not a router. Export one: export default createRouter(...).`,
    );
  }
  return { name: "constellation", file: path, router, notices: [] };
}

function isRouter(value: unknown): value is Router {
  const router = (value ?? {}) as Partial<Record<keyof Router, unknown>>;
  return (["start", "list", "check", "on", "close"] as const).every(
    (key) => typeof router[key] === "function",
  );
}

async function loadSource(
  source: MeshSource,
  env: Readonly<Record<string, string | undefined>>,
  {
    cwd = "",
    only,
    debug,
    journal: named,
    defaultJournal,
    hasThreads = false,
    replacements = {},
    signal,
  }: LoadMeshOptions,
): Promise<Mesh> {
  const checked = meshFileSchema.safeParse(source.value);
  if (!checked.success) {
    const shape = new OptionsShape(meshFileSchema);
    const place = { findPath: (path: readonly PropertyKey[]) => path, shape };
    throw new ConfigurationError(schemaProblems(source, checked.error.issues, place).join("\n"));
  }
  const { librarians, model, telemetry, server, mcp, transport: given, ...rest } = checked.data;
  const { journal: own, budgets, ...options } = rest;
  const asProblem = (path: readonly string[]) => (message: string) => source.problem(path, message);
  const { ai, notice }: Partial<MadeModel> =
    model === undefined
      ? {}
      : await asConfigurationError(() => createModel(model, env), asProblem(["model"]));
  const made =
    given === undefined ? undefined : await createMeshTransport(source, given, options.name);
  const place = named === false ? undefined : (named ?? own ?? usableJournal(defaultJournal, cwd));
  const folder = place === own ? dirname(source.file) : cwd;
  const kept = place === undefined ? undefined : createMeshJournal(place, folder, budgets);
  const isNeeded = hasThreads || budgets !== undefined;
  const journal = kept ?? (isNeeded ? createMemoryJournal(budgets) : undefined);
  const isDenied = named !== false && place === undefined && defaultJournal !== undefined;
  const ground = ai === undefined ? undefined : (await import("@constellation/nlu")).groundText;
  const blend = createBlend({ ground });
  const routerOptions: RouterOptions = {
    ...{ ...options, ai, debug, blend, transport: made?.transport },
    ...(journal && { journal }),
  };
  // The router itself checks what a schema cannot express.
  const router = await asConfigurationError(() => createRouter(routerOptions), asProblem([]));
  const loaded = await Promise.allSettled(
    librarians.map(async (librarian, index) =>
      isWanted(librarian.id, only)
        ? loadInTime(
            async () => {
              const made = await loadLibrarian(source, index, librarian);
              const use = replacements[made.id];
              return use === undefined
                ? made
                : loadLibrarian(source, index, { ...librarian, use: resolve(cwd, use) });
            },
            source.problem(["librarians", index], `"${librarian.use}"`),
            signal,
          )
        : undefined,
    ),
  );
  const problems = loaded.flatMap((outcome, index) => {
    if (outcome.status === "rejected") return (outcome.reason as Error).message;
    try {
      const { value } = outcome;
      if (value !== undefined && isWanted(value.id, only)) router.register(value);
      return [];
    } catch (thrown) {
      return source.problem(["librarians", index], (thrown as Error).message);
    }
  });
  for (const id of Object.keys(replacements)) {
    if (router.list().some((each) => each.id === id)) continue;
    problems.push(`--with: the librarian "${id}" is not in the mesh.`);
  }
  if (problems.length > 0) {
    await router.close();
    throw new ConfigurationError(problems.slice(0, 20).join("\n"));
  }
  return {
    name: options.name ?? "constellation",
    file: source.file,
    router,
    ai,
    notices: [
      ...(notice === undefined ? [] : [notice]),
      ...(isDenied
        ? [`Runs are not kept: ${cwd} cannot be written. --journal names a place.`]
        : []),
    ],
    telemetry,
    transport: made,
    own: router.list().map(({ id }) => id),
    server,
    journal,
    keepsJournal: kept !== undefined,
    mcp,
  };
}

/** A librarian without an id in the file has the one that its package gives it. */
function isWanted(id: string | undefined, only: readonly string[] | undefined): boolean {
  return only === undefined || id === undefined || only.includes(id);
}

/** @throws ConfigurationError when it takes too long; MeshError `TIMEOUT` when the signal aborts. */
async function loadInTime<Result>(
  load: () => Promise<Result>,
  what: string,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    return await withDeadline({ signal, timeoutMs: loadTimeoutMs }, load);
  } catch (thrown) {
    if (!(thrown instanceof MeshError) || signal?.aborted === true) throw thrown;
    throw new ConfigurationError(
      `${what} was not loaded after ${loadTimeoutMs / 1_000} s. Check what it waits for when it is created.`,
    );
  }
}

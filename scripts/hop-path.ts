import { Session } from "node:inspector/promises";
import { pathToFileURL } from "node:url";
import { createRouter, type DelegateRequest, type Router } from "@constellation/core";

// What a reader of a query's path reads: the files and functions of core that one `ask` enters, by V8's
// count of calls. `npm run hop-path` prints how many, with `-- --list` their names too.

const sources = new URL("../packages/core/src/", import.meta.url).href;

/** By file of core, below `src`, the functions that were called there; in the order in which V8 lists them. */
type Entered = ReadonlyMap<string, readonly string[]>;

/** Delegates of each librarian: the others answer. */
const meshes: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  plain: { one: [] },
  "chain of 3": { one: ["two"], two: ["three"], three: ["four"], four: [] },
  "fan-out of 3": { one: ["two", "three", "four"], two: [], three: [], four: [] },
};

function routerOf(mesh: Readonly<Record<string, readonly string[]>>): Router {
  const router = createRouter(Object.keys(mesh).length === 1 ? {} : { entry: "one" });
  for (const [id, delegates] of Object.entries(mesh)) {
    const delegate: DelegateRequest[] = delegates.map((to) => ({ to }));
    const [only = { to: "" }] = delegate;
    const response =
      delegate.length === 0
        ? { answer: id }
        : { delegate: delegate.length === 1 ? only : delegate };
    router.register({ id, description: "answers", librarian: async () => response });
  }
  return router;
}

/** What `work` enters. */
async function entered(session: Session, work: () => Promise<unknown>): Promise<Entered> {
  await session.post("Profiler.takePreciseCoverage"); // sets the counts to zero
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = new Map<string, readonly string[]>();
  for (const { url, functions } of result) {
    const href = url.startsWith("file:") ? url : pathToFileURL(url).href;
    if (!href.startsWith(sources)) continue;
    const called = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || "(anonymous)")
      .filter((name) => !name.startsWith("<") && name !== "__name"); // fields of a class, and the loader
    if (called.length > 0) files.set(href.slice(sources.length), called);
  }
  return files;
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const counts: Record<string, { readonly files: number; readonly functions: number }> = {};
for (const [name, mesh] of Object.entries(meshes)) {
  const router = routerOf(mesh);
  const ask = () => router.ask("Which pods restart?");
  await ask(); // what only the first one does is left out
  const files = await entered(session, ask);
  await router.close();
  counts[name] = { files: files.size, functions: [...files.values()].flat().length };
  if (!process.argv.includes("--list")) continue;
  for (const [file, functions] of files) console.log(`${name}: ${file}: ${functions.join(", ")}`);
}
session.disconnect();
console.log(JSON.stringify(counts));

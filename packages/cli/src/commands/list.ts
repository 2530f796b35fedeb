import type { LibrarianInfo } from "@constellation/core";
import type { Replica } from "@constellation/transport";
import { type CommandIO, exitCodes } from "../command-io.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { withOpenMesh } from "../open-mesh.js";
import { type Paint, paintFor } from "../terminal/paint.js";
import { type OutputFormat, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Command-line options of `list`. */
export interface ListFlags {
  readonly mesh?: string;
  readonly output: OutputFormat;
  readonly ids?: true;
}

/** `constellation list`: the librarians. */
export async function list(flags: ListFlags, io: CommandIO): Promise<number> {
  return withOpenMesh(flags.mesh, io, {}, async (mesh) => {
    const librarians = mesh.router.list();
    const paint = paintFor(io.stdout, io.env);
    if (flags.ids === true) {
      io.stdout.write(librarians.map(({ id }) => `${id}\n`).join(""));
      return exitCodes.answered;
    }
    if (flags.output === "table") {
      const shown = librarians.map((one) => describe(one, paint, printPlaces(one, mesh)));
      io.stdout.write(`${shown.join("\n\n")}\n`);
    } else {
      const all = librarians.map((one) => ({ ...one, ...findReplicas(one, mesh) }));
      await printData(all, flags.output, io);
    }
    return exitCodes.answered;
  });
}

/** Maximum number of processes listed for one librarian. */
const maxPlaces = 10;

/** The processes that serve a librarian now, where the mesh has a transport; the oldest first. */
function findReplicas(
  { id }: LibrarianInfo,
  { transport: made }: Mesh,
): { readonly replicas?: readonly Omit<Replica, "id">[] } {
  const present = made?.transport.replicas(id) ?? [];
  if (present.length === 0) return {};
  const replicas = present.map(({ host, pid, since }) => ({ host, pid, since }));
  return { replicas: replicas.sort((one, other) => one.since - other.since) };
}

/** The same, as text. */
function printPlaces(librarian: LibrarianInfo, mesh: Mesh): string {
  const { replicas = [] } = findReplicas(librarian, mesh);
  const named = replicas
    .slice(0, maxPlaces)
    .map(({ host, pid, since }) => `${host} (${pid}) since ${new Date(since).toISOString()}`);
  if (replicas.length > maxPlaces) named.push(`${replicas.length - maxPlaces} more`);
  const count = replicas.length > 1 ? `${replicas.length} processes: ` : "";
  return count + named.join(", ");
}

function describe(librarian: LibrarianInfo, paint: Paint, places: string): string {
  const {
    id,
    name,
    description,
    team,
    capabilities = [],
    examples = [],
    effects,
    acts = [],
  } = librarian;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["", description],
    ["team", team],
    ["can", capabilities.join(", ")],
    ["asks", printDelegates(librarian)],
    ["changes", effects === "write" ? "something outside: a call is never repeated" : undefined],
    ["orders", acts.map((act) => `"${act}"`).join(" ")],
    ["runs on", places],
    ["try", examples.map((question) => `"${question}"`).join(" ")],
  ];
  const heading = paint("bold", paint("cyan", id));
  const title = name === undefined ? heading : `${heading}  ${sanitizeLine(name)}`;
  const lines = rows.flatMap(([label, text = ""]) =>
    text === "" ? [] : `  ${paint("dim", label.padEnd(label === "" ? 0 : 8))}${sanitizeLine(text)}`,
  );
  return [title, ...lines].join("\n");
}

function printDelegates({ delegatesTo }: LibrarianInfo): string {
  if (delegatesTo === undefined) return "any";
  return delegatesTo.length === 0 ? "none" : delegatesTo.join(", ");
}

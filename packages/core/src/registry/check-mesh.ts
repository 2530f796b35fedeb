import type { LibrarianInfo } from "../contract/librarian-info.js";
import { chainLongerThan, components, type Graph, reachedFrom, shortestCycle } from "./graph.js";

/** Something wrong with a mesh, found before any query. */
export interface MeshProblem {
  readonly kind:
    | "cycle"
    | "unknown-target"
    | "too-deep"
    | "too-wide"
    | "unreachable"
    | "write-not-repeated";
  /**
   * Ids of the librarians concerned. `cycle` and `too-deep`: the path, the first id again at the end of a cycle;
   * `unknown-target`: the librarian that declares it, and the id; `too-wide` and `unreachable`: the
   * librarian; `write-not-repeated`: the librarian, and those with effects "write" that it may reach.
   */
  readonly ids: readonly string[];
  /** The problem and what to do about it. */
  readonly message: string;
}

/** Result of `router.check()`. */
export interface MeshReport {
  /** Whether there are no problems. */
  readonly ok: boolean;
  readonly problems: readonly MeshProblem[];
  /**
   * Warnings about what works but may surprise. `write-not-repeated`: `retry`, `hedge` or `fallback` of a librarian
   * ends once one below it may have changed something outside.
   */
  readonly warnings: readonly MeshProblem[];
  /** The declared delegations as a Mermaid flowchart, problems in red. */
  toMermaid(): string;
}

/** What a mesh is checked against. */
interface MeshLimits {
  readonly maxDepth: number;
  /** @default Infinity */
  readonly maxFanout?: number | undefined;
  readonly entry?: string | undefined;
  /** What repeats a call of a librarian when it fails or is slow: `["retry"]`. */
  readonly repeatedBy?: ((id: string) => readonly string[]) | undefined;
}

/**
 * Checks the delegations that librarians declare in `delegatesTo`. A librarian that declares nothing may delegate to
 * any other: it then reaches all of them, which does not count as a cycle.
 */
export function checkMesh(
  librarians: readonly LibrarianInfo[],
  { maxDepth, maxFanout, entry, repeatedBy }: MeshLimits,
): MeshReport {
  const graph = new Map(librarians.map((each) => [each.id, each.delegatesTo]));
  const problems = [...findProblems(graph, { maxDepth, maxFanout, entry })];
  const bad = new Set(problems.flatMap(({ ids }) => ids));
  const warnings = repeatedBy === undefined ? [] : repeatedWrites(librarians, graph, repeatedBy);
  return {
    ok: problems.length === 0,
    problems,
    warnings,
    toMermaid: () => meshMermaid(graph, bad),
  };
}

function* findProblems(
  graph: Graph,
  { maxDepth, maxFanout = Number.POSITIVE_INFINITY, entry }: MeshLimits,
): Generator<MeshProblem> {
  const isEntryKnown = entry !== undefined && graph.has(entry);
  if (entry !== undefined && !isEntryKnown) {
    const message = `The entry "${entry}" is not registered. Register it, or name another entry.`;
    yield { kind: "unknown-target", ids: [entry], message };
  }
  for (const [id, targets = []] of graph) {
    for (const target of targets) {
      if (graph.has(target)) continue;
      const message = `"${id}" delegates to "${target}", which is not registered. Register it, or remove it from delegatesTo.`;
      yield { kind: "unknown-target", ids: [id, target], message };
    }
  }
  for (const group of components(graph)) {
    const path = shortestCycle(graph, group);
    if (path === undefined) continue;
    const message = `${path.join(" -> ")} is a cycle: a query that goes round ends with LOOP_DETECTED. Remove one of them from delegatesTo.`;
    yield { kind: "cycle", ids: path, message };
  }
  const chain = chainLongerThan(maxDepth, graph, isEntryKnown ? [entry] : [...graph.keys()]);
  if (chain !== undefined) {
    const message = `${chain.join(" -> ")} is longer than maxDepth, ${maxDepth}. Shorten the chain, or raise maxDepth.`;
    yield { kind: "too-deep", ids: chain, message };
  }
  for (const [id, targets = []] of graph) {
    if (targets.length <= maxFanout) continue;
    const message = `"${id}" declares ${targets.length} delegates, and maxFanout is ${maxFanout}: a response that names more is not followed beyond it. Declare fewer, or raise maxFanout.`;
    yield { kind: "too-wide", ids: [id], message };
  }
  // Without an entry every librarian can be asked by name.
  const reached = isEntryKnown ? reachedFrom(graph, entry) : undefined;
  for (const id of reached === undefined ? [] : graph.keys()) {
    if (reached?.has(id)) continue;
    const message = `"${id}" cannot be reached from "${entry}". Add it to the delegatesTo of another, or remove it.`;
    yield { kind: "unreachable", ids: [id], message };
  }
}

/** Librarians that would be called again, and may reach one that changes something. */
function repeatedWrites(
  librarians: readonly LibrarianInfo[],
  graph: Graph,
  repeatedBy: (id: string) => readonly string[],
): MeshProblem[] {
  const writers = librarians.filter(({ effects }) => effects === "write").map(({ id }) => id);
  if (writers.length === 0) return [];
  return librarians.flatMap(({ id, effects }) => {
    const how = effects === "write" ? [] : repeatedBy(id);
    if (how.length === 0) return [];
    const below = reachedFrom(graph, id);
    const reached = writers.filter((writer) => below === undefined || below.has(writer));
    if (reached.length === 0) return [];
    return {
      kind: "write-not-repeated" as const,
      ids: [id, ...reached],
      message: `"${id}" may reach ${reached.join(", ")}, which changes something: ${how.join(", ")} of "${id}" ends once that is called. Declare delegatesTo, or put ${how.join(", ")} on the librarians that only read.`,
    };
  });
}

/** The declared delegations as a Mermaid flowchart. @param bad - Ids drawn in red. */
function meshMermaid(graph: Graph, bad: ReadonlySet<string>): string {
  const numberOf = new Map([...graph.keys()].map((id, index) => [id, index]));
  for (const id of bad) if (!numberOf.has(id)) numberOf.set(id, numberOf.size); // not registered
  const node = (id: string) => `n${numberOf.get(id)}`;
  const lines = [...numberOf.keys()].map((id) => `  ${node(id)}["${id}"]`);
  for (const [id, targets = []] of graph) {
    for (const target of targets) lines.push(`  ${node(id)} --> ${node(target)}`);
  }
  if (bad.size > 0) {
    lines.push("  classDef problem stroke:#c00,color:#c00");
    lines.push(`  class ${[...bad].map(node).join(",")} problem`);
  }
  return ["flowchart TD", ...lines].join("\n");
}

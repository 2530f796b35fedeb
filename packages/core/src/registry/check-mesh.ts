import type { LibrarianInfo } from "../contract/librarian-info.js";
import { chainLongerThan, components, type Graph } from "./graph.js";

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
   * Ids it is about. `cycle` and `too-deep`: the path, the first id again at the end of a cycle;
   * `unknown-target`: the librarian that declares it, and the id; `too-wide` and `unreachable`: the
   * librarian; `write-not-repeated`: the librarian, and those with effects "write" that it may reach.
   */
  readonly ids: readonly string[];
  /** For people: what is wrong and what to do. */
  readonly message: string;
}

/** Result of `router.check()`. */
export interface MeshReport {
  /** Whether there are no problems. */
  readonly ok: boolean;
  readonly problems: readonly MeshProblem[];
  /**
   * What works, and may surprise. `write-not-repeated`: `retry`, `hedge` or `fallback` of a librarian ends once
   * one below it may have changed something outside.
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
 * Checks the delegations that librarians declare in `delegatesTo`. One that declares nothing may
 * delegate to any other, which reaches all of them and proves no cycle.
 */
export function checkMesh(
  librarians: readonly LibrarianInfo[],
  { maxDepth, maxFanout = Number.POSITIVE_INFINITY, entry, repeatedBy }: MeshLimits,
): MeshReport {
  const graph = new Map(librarians.map((each) => [each.id, each.delegatesTo]));
  const problems = [
    ...unknownTargets(graph, entry),
    ...cycles(graph),
    ...tooDeep(graph, maxDepth, entry),
    ...tooWide(graph, maxFanout),
    ...unreachable(graph, entry),
  ];
  const bad = new Set(problems.flatMap(({ ids }) => ids));
  const warnings = repeatedBy === undefined ? [] : repeatedWrites(librarians, graph, repeatedBy);
  return {
    ok: problems.length === 0,
    problems,
    warnings,
    toMermaid: () => meshMermaid(graph, bad),
  };
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

/** Ids below a librarian; `undefined`: all of them, for one on the way may delegate to any. */
function reachedFrom(graph: Graph, id: string): ReadonlySet<string> | undefined {
  const reached = new Set([id]);
  for (const each of reached) {
    if (!graph.has(each)) continue;
    const targets = graph.get(each);
    if (targets === undefined) return undefined;
    for (const target of targets) reached.add(target);
  }
  return reached;
}

function unknownTargets(graph: Graph, entry: string | undefined): MeshProblem[] {
  const problems: MeshProblem[] = [];
  if (entry !== undefined && !graph.has(entry)) {
    problems.push({
      kind: "unknown-target",
      ids: [entry],
      message: `The entry "${entry}" is not registered. Register it, or name another entry.`,
    });
  }
  for (const [id, targets = []] of graph) {
    for (const target of targets) {
      if (graph.has(target)) continue;
      problems.push({
        kind: "unknown-target",
        ids: [id, target],
        message: `"${id}" delegates to "${target}", which is not registered. Register it, or remove it from delegatesTo.`,
      });
    }
  }
  return problems;
}

/** One cycle of every group of librarians that can reach each other. */
function cycles(graph: Graph): MeshProblem[] {
  return components(graph).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const members = new Set(group);
    const path = shortestCycle(graph, first, members);
    if (path === undefined) return [];
    return {
      kind: "cycle" as const,
      ids: path,
      message: `${path.join(" -> ")} is a cycle: a query that goes round ends with LOOP_DETECTED. Remove one of them from delegatesTo.`,
    };
  });
}

/** Breadth first from one member back to itself, inside its group. */
function shortestCycle(
  graph: Graph,
  start: string,
  members: ReadonlySet<string>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let index = 0; index < open.length; index++) {
    const id = open[index];
    if (id === undefined) break;
    for (const target of graph.get(id) ?? []) {
      if (target === start) {
        const path = [start];
        for (let back: string | undefined = id; back !== start && back !== undefined; ) {
          path.push(back);
          back = cameFrom.get(back);
        }
        return [start, ...path.slice(1).reverse(), start];
      }
      if (members.has(target) && !cameFrom.has(target)) {
        cameFrom.set(target, id);
        open.push(target);
      }
    }
  }
  return undefined;
}

/** A declared chain from the entry, or from any librarian, that is too long. */
function tooDeep(graph: Graph, maxDepth: number, entry: string | undefined): MeshProblem[] {
  const starts = entry === undefined || !graph.has(entry) ? [...graph.keys()] : [entry];
  const path = chainLongerThan(maxDepth, graph, starts);
  if (path === undefined) return [];
  return [
    {
      kind: "too-deep",
      ids: path,
      message: `${path.join(" -> ")} is longer than maxDepth, ${maxDepth}. Shorten the chain, or raise maxDepth.`,
    },
  ];
}

function tooWide(graph: Graph, maxFanout: number): MeshProblem[] {
  return [...graph].flatMap(([id, targets = []]) =>
    targets.length <= maxFanout
      ? []
      : {
          kind: "too-wide" as const,
          ids: [id],
          message: `"${id}" declares ${targets.length} delegates, and maxFanout is ${maxFanout}: a response that names more is not followed beyond it. Declare fewer, or raise maxFanout.`,
        },
  );
}

function unreachable(graph: Graph, entry: string | undefined): MeshProblem[] {
  if (entry === undefined || !graph.has(entry)) return []; // each can be asked by name
  const reached = reachedFrom(graph, entry);
  if (reached === undefined) return []; // one may delegate to any
  return [...graph.keys()]
    .filter((id) => !reached.has(id))
    .map((id) => ({
      kind: "unreachable",
      ids: [id],
      message: `"${id}" cannot be reached from "${entry}". Add it to the delegatesTo of another, or remove it.`,
    }));
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

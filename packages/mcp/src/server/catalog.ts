import { withoutUndefined } from "@constellation/authoring";
import type { LibrarianInfo } from "@constellation/core";

/** A capability, the librarians that declare it, and the capabilities below it. */
export interface CapabilityNode {
  /** Whole name: `kubernetes.facts`. */
  readonly capability: string;
  /** Ids of the librarians that declare exactly this one. */
  readonly librarians: readonly string[];
  readonly children: readonly CapabilityNode[];
}

/** The public fields of a librarian. */
export function publicInfo(info: LibrarianInfo): LibrarianInfo {
  const { id, description, name, team, capabilities, examples, delegatesTo, effects, acts } = info;
  return withoutUndefined({
    id,
    description,
    name,
    team,
    capabilities,
    examples,
    delegatesTo,
    effects,
    acts,
  });
}

/** Sorts librarians into the tree of their capabilities, `kubernetes.facts` below `kubernetes`. */
export function capabilityTree(librarians: readonly LibrarianInfo[]): readonly CapabilityNode[] {
  interface Node extends CapabilityNode {
    readonly librarians: string[];
    readonly children: Node[];
  }
  const nodes = new Map<string, Node>();
  const roots: Node[] = [];

  function findNode(capability: string): Node {
    const known = nodes.get(capability);
    if (known !== undefined) return known;
    const node: Node = { capability, librarians: [], children: [] };
    nodes.set(capability, node);
    const dot = capability.lastIndexOf(".");
    const siblings = dot <= 0 ? roots : findNode(capability.slice(0, dot)).children;
    siblings.push(node);
    return node;
  }

  for (const { id, capabilities = [] } of librarians) {
    for (const capability of new Set(capabilities)) findNode(capability).librarians.push(id);
  }
  return roots;
}

import type { Graph } from "./graph.js";

/** The declared delegations as a Mermaid flowchart. @param bad - Ids drawn in red. */
export function meshMermaid(graph: Graph, bad: ReadonlySet<string>): string {
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

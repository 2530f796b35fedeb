import type { Librarian } from "@constellation/core";
import type { ServedMesh } from "./served-mesh.js";

/** Delegates to three: one knows, one may, one is not there. */
export const desk: Librarian = async () => ({
  delegate: [
    { to: "k8s", query: "why does it crash?", context: { reason: "it knows about crashes" } },
    { to: "docs", context: { reason: "it has the runbook" } },
    { to: "nobody" },
  ],
});

/** Knows. */
export const k8s: Librarian = async () => ({
  answer: "The container was `OOMKilled`.",
  confidence: 0.9,
  sources: [{ name: "pods in shop", url: "https://example.com/pods" }],
});

/** Asks a mesh, and gives the id of the run. */
export async function ask(mesh: ServedMesh, query: string, to?: string): Promise<string> {
  const reply = await mesh.post("/ask", { query, to });
  await reply.arrayBuffer();
  return reply.headers.get("x-run-id") ?? "";
}

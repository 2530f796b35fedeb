import { fileURLToPath } from "node:url";
import { loadMesh } from "@constellation/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const file = fileURLToPath(new URL("../../examples/incident/mesh.yaml", import.meta.url));
let mesh: Awaited<ReturnType<typeof loadMesh>>;

beforeAll(async () => {
  mesh = await loadMesh(file, { env: {} });
});

afterAll(() => mesh.router.close());

describe("the headline of a response", () => {
  it.each([
    ["triage", "What can you do?", /^Your questions go to these 5 librarians\.$/],
    ["k8s", "Why does checkout keep crashing in production?", /checkout.*OOMKilled/],
    ["k8s", "Which image does checkout run?", /checkout/],
    ["metrics", "Which alerts fire?", /^\d+ alerts? firing/],
    ["docs", "How do I roll back a release?", /^[^*]*oll.*\.md`?\).*$/],
    ["workflow-selector", "Which workflow fixes the claim of reports-db?", /is proposed\. Risk: /],
    ["rag-advisory", "What are rental yields in Austin?", /\S/],
  ])("of %s to %j is one line", async (to, query, headline) => {
    const response = await mesh.router.ask(query, { to });

    expect(response.error).toBeUndefined();
    expect(response.headline).toMatch(headline);
    expect(response.headline).not.toContain("\n");
  });

  it("begins an answer of several librarians, one line for each", async () => {
    const query =
      "Why does checkout keep crashing in production, and what should we run to fix it?";
    const { answer, headline, metadata } = await mesh.router.ask(query);

    const names = metadata?.branches?.map(({ name }) => name) ?? [];
    expect(names.length).toBeGreaterThan(1);
    expect(headline?.split("\n").map((line) => /\*\*(.+?)\*\*/.exec(line)?.[1])).toEqual(names);
    expect(answer?.startsWith(`${headline}\n\n## ${names[0]}\n`)).toBe(true);
  });
});

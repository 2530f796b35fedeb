import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Response } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDeskMesh } from "./mesh.js";

let router: ReturnType<typeof createDeskMesh>;

beforeEach(() => {
  router = createDeskMesh();
});

afterEach(() => router.close());

/** Sources that do not stand in the runbooks as a file with that heading. */
function inventedSources({ sources = [] }: Response): readonly string[] {
  const folders = ["deploy", "network"].map((folder) =>
    fileURLToPath(new URL(`../runbooks/${folder}/`, import.meta.url)),
  );
  return sources
    .map(({ name }) => name)
    .filter((name) => {
      const [file = "", heading = ""] = name.split("#");
      return !folders.some(
        (folder) =>
          existsSync(folder + file) &&
          readFileSync(folder + file, "utf8")
            .replaceAll("`", "")
            .includes(`# ${heading}\n`),
      );
    });
}

describe("createDeskMesh", () => {
  it("has no problem that could be found before a query", () => {
    expect(router.check()).toMatchObject({ ok: true, problems: [] });
  });

  it("answers a question of two parts from both folders, in one answer", async () => {
    const run = router.start(
      "Checkout pods are OOMKilled since the last rollout and customers see 504 from the ingress. How do I roll back, and which timeout do I check?",
    );

    const response = await run.response;

    expect(response.answer).toMatch(/^## Deploy runbooks\n[\s\S]*\n## Network runbooks\n/);
    expect(response.answer).toContain("kubectl -n shop rollout undo deployment/checkout");
    expect(response.answer).toContain("`proxy-read-timeout` (60 s)");
    expect(response.metadata?.missing).toBeUndefined();
    expect(inventedSources(response)).toEqual([]);
    expect(run.explain().hops.map(({ to, outcome }) => [to, outcome])).toEqual([
      ["front-desk", "delegate"],
      ["deploy-docs", "answer"],
      ["network-docs", "answer"],
    ]);
  });

  it.each([
    ["How do I rotate the database password?", "deploy-docs", "configuration.md"],
    ["Our TLS certificate has expired", "network-docs", "tls-certificates.md"],
    ["DNS lookups take five seconds", "network-docs", "dns.md"],
    ["crash loop with exit code 1", "deploy-docs", "crash-loops.md"],
    ["the connection pool is exhausted", "network-docs", "connection-pools.md"],
    ["A migration hangs, who holds the lock?", "deploy-docs", "migrations.md"],
  ])("asks one librarian where one is enough: %s", async (question, to, file) => {
    const run = router.start(question);

    const response = await run.response;

    expect(run.explain().hops.map((hop) => hop.to)).toEqual(["front-desk", to]);
    expect(response.sources?.[0]?.name).toContain(`${file}#`);
    expect(inventedSources(response)).toEqual([]);
  });

  it("says what is missing when one part of a question has no answer", async () => {
    const response = await router.ask(
      "How do I roll back, and which DNS zone is for giraffes in Iceland?",
    );

    expect(response).toMatchObject({
      answer: expect.stringContaining("rollout undo"),
      partial: true,
      metadata: { missing: [{ to: "network-docs", code: "NOT_FOUND", reason: "no-information" }] },
    });
  });

  it("says that nothing is known, with what to ask instead, rather than guess", async () => {
    const { answer, error, metadata } = await router.ask("How do I bake a chocolate cake?");

    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "out-of-domain" } });
    for (const { response } of metadata?.branches ?? []) {
      expect(response.error?.suggestion).toContain("They are about:");
    }
  });
});

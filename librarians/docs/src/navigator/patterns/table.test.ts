import { describe, expect, it } from "vitest";
import { createEvidence } from "../evidence/evidence.js";
import { getKnowledgeIndex } from "../evidence/knowledge-index.js";
import { createMemoryKnowledgeBase } from "../knowledge-base-view.js";
import { extractTokens } from "./extract-tokens.js";
import { patterns } from "./table.js";

/** Where each token of an answer stands, when `cited` is the cited section and `other` is not. */
function standings(answer: string, cited: string, other = "") {
  const index = getKnowledgeIndex(
    createMemoryKnowledgeBase({
      "guide/a.md": `# A\n\n## Cited\n\n${cited}\n\n## Other\n\n${other}\n`,
      "guide/b.md": "# B\n\ntext\n",
    }),
  );
  const sections = index.getSections("guide/a.md");
  const evidence = createEvidence(
    index,
    sections.filter(({ section }) => section.heading === "Cited"),
    new Set(["guide/a.md"]),
  );
  return extractTokens(answer).map(({ pattern, token }) => pattern.find(token, evidence));
}

describe("patterns", () => {
  it("are each of another kind", () => {
    expect(new Set(patterns.map(({ kind }) => kind)).size).toBe(patterns.length);
  });

  it.each([
    ["`kubectl drain node`", "Run `kubectl drain <node>`."],
    ["--prune", "Pass `--prune`."],
    ["MAX_AGE", "Set MAX_AGE."],
    ["spec.mode", "Set `spec.mode`."],
    ["honor_labels", "Set honor_labels."],
    ["https://acme.io/a", "See [it](https://acme.io/a/b)."],
    ["conf/app.yaml", "Edit `./conf/app.yaml`."],
    ["arn:aws:s3:::b/k", "It is `arn:aws:s3:::b/k`."],
    ['"failed to find a pod"', "It logs `failed to find a pod`."],
  ])("finds %j cited, elsewhere or nowhere", (answer, text) => {
    expect(standings(answer, text)).toEqual(["cited"]);
    expect(standings(answer, "Nothing.", text)).toEqual(["elsewhere"]);
    expect(standings(answer, "Nothing.", "Nothing.")).toEqual(["nowhere"]);
  });

  it.each([
    ["5 minutes", "It waits 5m."],
    ["300s", "It waits 5 minutes."],
    ["90m", "It waits 1h30m."],
    ["10 seconds", "| timeout | 10000 | in ms |"],
    ["45 s", "`timeout: 45`"],
    ["1,048,576 bytes", "At most 1MB."],
    ["1 MiB", "At most 1024KB."],
    ["20%", "From 15-20 percent."],
    ["8080", "It listens on localhost:8080."],
    ["12", "There are twelve of them."],
    ["v2.26", "Since `>=2.26.0`."],
    ["2.26.0", "Since v2.26."],
    ["v1.5.x", "In 1.5.3 and later."],
    ["2024-01-15", "As of 2024-01-15."],
  ])("finds the amount %j in %j, and accepts it from nowhere else", (answer, text) => {
    expect(standings(answer, text)).toEqual(["cited"]);
    expect(standings(answer, "Nothing.", text)).toEqual(["nowhere"]);
  });

  it.each([
    ["5 hours", "It waits 5m."],
    ["v2.26.1", "Since v2.26.0."],
    ["v2.2", "Since v2.26.0."],
    ["15 MB", "At most 10MB, in 15 parts of 1KB."],
    ["2024-01-16", "As of 2024-01-15."],
  ])("does not find %j in %j, unless as a bare number", (answer, text) => {
    const [standing] = standings(answer, text);

    expect(standing).toBe(answer === "15 MB" ? "cited" : "nowhere");
  });

  it.each([
    // A token is found as a whole only.
    ["--repo", "Pass --repo-server."],
    ["honor_label", "Set honor_label_names."],
    ["app.yaml", "Edit my-app.yaml."],
    ["MAX_AGE", "Set MAX_AGE_SECONDS."],
    // What is added to something documented is not documented.
    ["https://acme.io/a/setup", "See https://acme.io/a."],
    ["https://acme.io/a#ghost", "See https://acme.io/a#real."],
    ["`argocd app ghost`", "Run `argocd app sync`."],
    ["`argocd proj role ghost`", "Run `argocd proj role delete`."],
    ["spec.ghost", "```yaml\nspec:\n  mode: 1\nghost: 2\n```"],
    ["arn:aws:iam::123456789012:role/x", "arn:aws:iam::123456789012:role/y"],
    ["guide/B2.md", "text"],
    ["http://localhost:9090/ghost", "Open http://localhost:9090/graph, not prometheus/ghost."],
  ])("finds %j nowhere, for all of %j", (answer, text) => {
    expect(standings(answer, text)).toEqual(["nowhere"]);
  });

  it.each([
    ["`kubectl -n shop get pods`", "Run `kubectl get pods`."],
    ["`kubectl get deployments`", "Run `kubectl -n shop get pods`."],
    ["--no-color", "Pass --color."],
    ["$MAX_AGE", "Set MAX_AGE."],
    ["spec.source.path", "```yaml\nspec:\n  source:\n    path: x\n```"],
    ["logger.level", "```js\nconst app = fastify({ logger: { level: 'info' } })\n```"],
    ["https://acme.io/a#part", "See https://acme.io/a#part"],
    ["http://localhost:3000", "Nothing."],
    ["https://argocd.example.com", "Nothing."],
    ["http://localhost:9090/graph", "Open http://<host>/x or `/graph`."],
    ["guide/a.md", "Nothing."],
    ["a.md", "Nothing."],
    ["arn:aws:iam::111122223333:role/x", "arn:aws:iam::<account>:role/x"],
    ["arn:aws:s3:::b/k", "arn:aws:s3:::b/*"],
    ["GhostSets", "A GhostSet is one."],
    ['"failed to find pod web-1 in 5 tries"', "failed to find pod <name> in %d tries"],
    ["reply.send()", "Call **reply.send**."],
    ["max\\_age", "Set `max_age`."],
  ])("finds %j cited, for %j", (answer, text) => {
    expect(standings(answer, text).every((standing) => standing === "cited")).toBe(true);
  });

  it.each([
    ["https://acme.io/v2.1/a", "See https://acme.io/latest/a."],
    ["https://acme.io/a#part", "See https://acme.io/a."],
    ["arn:aws-cn:s3:::b/k", "arn:aws:s3:::b/k"],
    ["fastify.childLoggerFactory", "The childLoggerFactory makes one."],
    ["GhostSet", "A ghost set is one."],
    ["`helm sync --prune`", "`helm sync`\n\n## X\n\nPass --prune."],
    ["guide/b.md", "Nothing."],
  ])("is not sure of %j, for %j", (answer, text) => {
    expect(standings(answer, text)).toContain("elsewhere");
    expect(standings(answer, text)).not.toContain("nowhere");
  });
});

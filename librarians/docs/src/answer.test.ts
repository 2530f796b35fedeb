import type { Response } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { pagesOf } from "../test/pages-of.js";
import { createDocsLibrarian } from "./docs-librarian.js";
import { splitSentences } from "./extract/sentences.js";
import type { NavigatorResponse } from "./navigator/navigator-response.js";
import { navigatorResponseSchema } from "./navigator/navigator-response.schema.js";

async function ask(texts: Readonly<Record<string, string>>, query: string): Promise<Response> {
  const { librarian } = createDocsLibrarian({
    pages: pagesOf(texts),
    description: "Kubernetes operations.",
  });
  return librarian(query);
}

async function navigate(
  texts: Readonly<Record<string, string>>,
  query: string,
): Promise<NavigatorResponse> {
  return navigatorResponseSchema.parse((await ask(texts, query)).metadata?.navigator);
}

const deployment = `# Deployments

A deployment keeps pods running.

## Roll back a deployment

Undo the last revision. It takes about a minute:

\`\`\`sh
kubectl rollout undo deployment/<name>
\`\`\`

## Scale a deployment

Set the number of replicas with \`kubectl scale\`.

## Pause a deployment

A paused deployment starts no rollout.
`;

const network = `# Network

## Ingress

An ingress sends requests to services. The rollback of an ingress is rare.

## DNS

CoreDNS answers names inside the cluster.
`;

/** What is below a heading of a page, up to the next one. */
function sectionOf(page: string, heading: string): string {
  const [, below = ""] = page.split(`# ${heading}\n`);
  return below.split(/^#/m)[0] ?? "";
}

describe("an answer without a model", () => {
  it("NAV-002 says nothing but what stands in the sections it cites", async () => {
    const texts = { "deployment.md": deployment, "network.md": network };

    const { answer, sources } = await navigate(texts, "roll back a deployment");

    const quotes = answer.split("\n\n").filter((text) => !text.startsWith("**"));
    expect(sources[0]).toMatchObject({ file: "deployment.md", section: "Roll back a deployment" });
    const cited = sources.map(({ file, section }) =>
      sectionOf(texts[file as keyof typeof texts], section),
    );
    expect(quotes.flatMap(splitSentences).length).toBeGreaterThan(0);
    for (const sentence of quotes.flatMap(splitSentences)) {
      expect(cited.join("\n").replaceAll(/\s+/g, " ")).toContain(sentence.replaceAll(/\s+/g, " "));
    }
    expect(answer).toContain("kubectl rollout undo deployment/<name>");
  });

  it("NAV-017 NAV-018 is high where a section is on the topic, and not where it is mentioned in passing", async () => {
    const on = await navigate(
      { "deployment.md": deployment, "network.md": network },
      "roll back a deployment",
    );
    const passing = await navigate(
      { "network.md": network, "nodes.md": "# Nodes\\n\\nA node runs pods.\\n" },
      "rollback is rare",
    );

    expect(on.confidence).toBe("high");
    expect(passing.sources[0]?.section).toBe("Ingress");
    expect(passing.confidence).not.toBe("high");
  });

  it("NAV-019 is low where pages contradict each other, and names the conflict", async () => {
    const response = await ask(
      {
        "gateway.md": "# Gateway\n\n## Request timeout\n\nThe request timeout is 30 seconds.\n",
        "proxy.md": "# Proxy\n\n## Request timeout\n\nThe request timeout is 60 seconds.\n",
        "nodes.md": "# Nodes\n\nA node runs pods.\n",
      },
      "what is the request timeout?",
    );
    const navigator = navigatorResponseSchema.parse(response.metadata?.navigator);

    expect(navigator.confidence).toBe("low");
    expect(navigator.confidenceReason).toMatch(/conflict.*(?:30|60) seconds.*(?:30|60) seconds/);
    expect(navigator.sources.map(({ file }) => file).sort()).toEqual(["gateway.md", "proxy.md"]);
    expect(response).toMatchObject({ confidence: 0.4, partial: true });
  });

  it("does not take one amount in two units for a conflict", async () => {
    const { confidenceReason } = await navigate(
      {
        "gateway.md": "# Gateway\n\n## Request timeout\n\nThe request timeout is 60 seconds.\n",
        "proxy.md": "# Proxy\n\n## Request timeout\n\nThe request timeout is 1 minute.\n",
      },
      "what is the request timeout?",
    );

    expect(confidenceReason).not.toContain("conflict");
  });

  it("NAV-020 NAV-022 is medium where it is put together from two pages, cites both and says so", async () => {
    const { confidence, sources, confidenceReason } = await navigate(
      {
        "init.md": "# Init containers\n\nInit containers delay the startup of a pod.\n",
        "probes.md": "# Readiness\n\nReadiness probes decide when traffic arrives.\n",
        "nodes.md": "# Nodes\n\nA node has disks.\n",
      },
      "how do init containers delay startup and readiness probes decide traffic?",
    );

    expect(confidence).toBe("medium");
    expect(sources.map(({ file }) => file).sort()).toEqual(["init.md", "probes.md"]);
    expect(confidenceReason).toContain("init.md");
    expect(confidenceReason).toContain("probes.md");
  });

  it("NAV-021 NAV-022 NAV-027 is low where a section only touches the question, cites it and says what is missing", async () => {
    const { librarian } = createDocsLibrarian({
      pages: pagesOf({
        "api.md":
          "# API\n\n## Rate limiting\n\nRate limiting exists.\n\n## Errors\n\nErrors are JSON.\n",
        "limits.md": "# Quotas\n\nRate limiting of tenants is a quota.\n",
        "nodes.md": "# Nodes\n\nA node has disks.\n",
      }),
      description: "The API.",
    });
    const response = await librarian("rate limiting of requests per burst window");
    const navigator = navigatorResponseSchema.parse(response.metadata?.navigator);

    expect(navigator).toMatchObject({ confidence: "low", outOfDomain: false });
    expect(navigator.sources[0]).toMatchObject({ file: "api.md", section: "Rate limiting" });
    expect(navigator.confidenceReason).toMatch(/Not found there:.*"burst"/);
    expect(response).toMatchObject({ confidence: 0.4, partial: true });
  });

  it("NAV-016 says of each source why it is one, in words of the question", async () => {
    const { sources } = await navigate({ "deployment.md": deployment }, "roll back a deployment");

    for (const { relevance, section } of sources) {
      expect(relevance.split(/\s+/).length).toBeGreaterThanOrEqual(3);
      expect(relevance).toContain(section);
    }
  });

  it("NAV-024 suggests the headings beside the one that was asked for", async () => {
    const { relatedTopics } = await navigate(
      { "deployment.md": deployment },
      "roll back a deployment",
    );

    expect(relatedTopics).toEqual(["Scale a deployment", "Pause a deployment"]);
  });

  it("CORE-043 is surer of a question that equals a heading than of one that is loosely related", async () => {
    const texts = { "deployment.md": deployment, "network.md": network };

    const [exact, loose] = await Promise.all([
      ask(texts, "scale a deployment"),
      ask(texts, "rollback is rare"),
    ]);

    expect(exact.confidence).toBeGreaterThan(loose.confidence ?? 1);
  });

  it("CORE-029 leaves raw HTML and pictures of the pages out", async () => {
    const { answer = "" } = await ask(
      {
        "a.md":
          "# Widgets\n\n## Install a widget\n\n<div class='x'>Install a widget here.</div>\n\n![install](a.png)\n\nInstall a widget with `npm`.\n",
      },
      "install a widget",
    );

    expect(answer).toContain("Install a widget with `npm`.");
    expect(answer).not.toMatch(/<div|!\[/);
  });

  it("shows the heading of a section as text, whatever is in it", async () => {
    const { answer = "" } = await ask(
      { "a.md": "# Configuration\n\n## `<tsdb>` block\n\nThe tsdb block has settings.\n" },
      "tsdb block",
    );

    expect(answer).toContain("\\<tsdb>");
  });

  it("answers each sentence of a question from the section it asks for", async () => {
    const texts = { "deployment.md": deployment, "network.md": network };

    const { sources } = await navigate(
      texts,
      "How do I roll back a deployment? Who answers names, DNS?",
    );

    expect(sources.map(({ section }) => section)).toEqual(
      expect.arrayContaining(["Roll back a deployment", "DNS"]),
    );
  });

  it("answers what is supported with a page that says so, and not with one about the other words", async () => {
    const pages = {
      "plugins.md":
        "# Plugins\n\nA plugin of the gateway is written in Go.\n\n## Write a plugin\n\nA plugin has a name and a version.\n",
      "python.md": "# Scripts\n\nThe scripts that check the gateway need Python 3.\n",
      "http.md": "# HTTP/2\n\nThe gateway supports HTTP/2 over TLS.\n",
    };

    const known = await ask(pages, "Does the gateway support HTTP/2?");
    const besides = await ask(pages, "Does the gateway support Python plugins?");

    expect(known.answer).toContain("supports HTTP/2 over TLS");
    expect(besides).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("quotes the steps below a section that only introduces them, where it is asked how", async () => {
    const pages = {
      "release.md":
        "# Withdraw a release\n\nWithdraw it first, find the cause later.\n\n## To the one before\n\n1. Stop the pipeline.\n2. Run `withdraw --to previous` for the release.\n\n## When not to withdraw a release\n\nNever after a migration of the release.\n",
      "start.md": "# Start\n\nThe service starts in a minute.\n",
    };

    const { answer } = await ask(pages, "How do I withdraw a release?");

    expect(answer).toContain("Withdraw it first");
    expect(answer).toContain("withdraw --to previous");
  });

  it("answers what something is from the section that is headed so", async () => {
    const pages = {
      "types.md":
        "# Types\n\n## Histogram\n\nIt counts observations in buckets.\n\n## Gauge\n\nIt goes up and down.\n",
      "functions.md":
        "# Functions\n\n## histogram_quantile()\n\nIt takes a quantile of a histogram. The histogram may be a native histogram.\n",
    };

    const { sources } = await ask(pages, "What is a histogram?");

    expect(sources?.[0]?.name).toBe("types.md#Histogram");
  });

  it("tells in its metadata what the decision rests on", async () => {
    const { metadata } = await ask({ "deployment.md": deployment }, "roll back a deployment");

    expect(metadata?.retrieval).toMatchObject({
      confidence: expect.any(Number),
      answerable: expect.any(Number),
      features: { topCoverage: 1 },
      hits: expect.arrayContaining([
        {
          file: "deployment.md",
          section: "Roll back a deployment",
          anchor: "roll-back-a-deployment",
          startLine: 5,
          endLine: 11,
          score: expect.any(Number),
          cited: true,
        },
      ]),
    });
  });
});

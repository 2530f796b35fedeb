import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFileCatalog,
  searchWorkflowCatalog,
} from "@constellation/librarian-workflow-selector";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../docs/markdown-blocks.js";

/*
 * `constellation serve` with a mesh file of one line, and the clients that use what its librarian offers: an MCP
 * client, plain HTTP, and what Alertmanager sends.
 */

/** For a process, on a machine that may be busy with other tests. */
const patienceMs = 120_000;
const catalog = join(root, "examples/incident/workflows");
const authorization = "Bearer the-token-of-alertmanager";
const folder = mkdtempSync(join(tmpdir(), "served-catalog-"));
let url = "";
let stop: () => Promise<unknown> = async () => undefined;

beforeAll(async () => {
  writeFileSync(
    join(folder, "mesh.yaml"),
    `librarians:\n  - use: "@constellation/librarian-workflow-selector"\n    options: { catalog: ${JSON.stringify(catalog)} }\n`,
  );
  const { VITEST: _, ...env } = process.env;
  const argv = [
    "--conditions=@constellation/source",
    ...["--import", "tsx"],
    join(root, "packages/cli/src/main.ts"),
    ...["serve", "--mesh", join(folder, "mesh.yaml"), "--port", "0"],
  ];
  const child = spawn(process.execPath, argv, {
    cwd: root,
    env: { ...env, NO_COLOR: "1", CONSTELLATION_TOKENS: "alertmanager:the-token-of-alertmanager" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  url = await new Promise<string>((resolve, reject) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
        const [, found] = /Listening on (\S+)[\s\S]*\/alerts/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(output)));
  });
}, patienceMs);

afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>>) =>
  fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** As Alertmanager 0.28 sends it. */
const webhook = {
  version: "4",
  groupKey: '{}:{alertname="KubeContainerOOMKilled"}',
  truncatedAlerts: 0,
  status: "firing",
  receiver: "mesh",
  groupLabels: { alertname: "KubeContainerOOMKilled" },
  commonLabels: { alertname: "KubeContainerOOMKilled", severity: "critical" },
  commonAnnotations: {},
  externalURL: "http://alertmanager.example",
  alerts: [
    {
      status: "firing",
      labels: {
        alertname: "KubeContainerOOMKilled",
        namespace: "production",
        deployment: "checkout",
        severity: "critical",
      },
      annotations: { description: "The container was OOMKilled." },
      startsAt: "2026-11-20T10:00:00Z",
      endsAt: "0001-01-01T00:00:00Z",
      fingerprint: "a1",
    },
  ],
};

describe("a catalog of workflows, served by constellation serve", { timeout: patienceMs }, () => {
  it("is searched by an MCP client and over HTTP, byte for byte as here", async () => {
    const labels = { environment: "production" };
    const local = searchWorkflowCatalog(await createFileCatalog(catalog).read(), {
      incident_type: "OOMKilled",
      labels,
      max_results: 10,
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL("/mcp", url), {
        requestInit: { headers: { authorization } },
      }),
    );
    try {
      const { tools } = await client.listTools();
      const called = await client.callTool({
        name: "search_workflow_catalog",
        arguments: { incident_type: "OOMKilled", ...labels },
      });
      const missing = await client.callTool({
        name: "get_workflow",
        arguments: { workflow_id: "not-in-the-catalog" },
      });
      const overHttp = await fetch(
        `${url}/workflows/search?incident_type=OOMKilled&environment=production`,
        { headers: { authorization } },
      );

      expect(tools.map(({ name }) => name)).toEqual([
        ...["query", "query_librarian", "list_librarians"],
        ...["search_workflow_catalog", "get_workflow"],
      ]);
      expect(local.workflows.map(({ workflow_id }) => workflow_id)).toContain(
        "increase-memory-limits",
      );
      expect(called.content).toEqual([{ type: "text", text: JSON.stringify(local) }]);
      expect(missing.content).toEqual([{ type: "text", text: "NOT_FOUND" }]);
      expect(await overHttp.text()).toBe(JSON.stringify(local));
    } finally {
      await client.close();
    }
  });

  it("gets alerts of Alertmanager, each as a run of the user who sent it", async () => {
    const accepted = await post("/alerts", webhook, { authorization });
    expect(accepted.status).toBe(202);
    const { runId } = (await accepted.json()) as { readonly runId: string };
    const waited = await post("/alerts?wait=true", webhook, { authorization });
    const run = await fetch(`${url}/runs/${runId}`, { headers: { authorization } });

    // No librarian of this mesh observes the container that the alert is about.
    expect(await waited.json()).toMatchObject({
      metadata: {
        workflowSelection: {
          strategies: [],
          warnings: [expect.stringContaining("May fit: increase-memory-limits")],
        },
      },
    });
    expect(await run.json()).toMatchObject({ user: { id: "alertmanager" } });
  });

  it("needs a token", async () => {
    const replies = await Promise.all([
      fetch(`${url}/workflows/search`),
      post("/alerts", webhook, {}),
      post("/mcp", {}, {}),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { folderWith, shopMesh } from "../test/folder.js";
import { run } from "../test/run.js";

/** A receiver of OTLP over HTTP that keeps the spans it was sent. */
async function receiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      if (request.url === "/v1/traces") bodies.push(body);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

describe("constellation ask --trace", () => {
  it("sends the run as one trace, and prints its id with a link", async () => {
    const { url, bodies } = await receiver();

    const { exitCode, stderr } = await run(["ask", "-q", "--trace", "bread?"], {
      cwd: folderWith(shopMesh),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, JAEGER_UI: "http://jaeger.example/" },
    });

    const [, id = ""] =
      /^Trace: ([0-9a-f]{32}) http:\/\/jaeger\.example\/trace\/\1$/m.exec(stderr) ?? [];
    const sent = bodies.join("");
    expect(exitCode).toBe(0);
    expect(id).not.toBe("");
    for (const span of ["constellation ask", "invoke_workflow town", "invoke_agent shop"]) {
      expect(sent).toContain(span);
    }
    const ids = new Set([...sent.matchAll(/"traceId":"([0-9a-f]+)"/g)].map(([, each]) => each));
    expect([...ids]).toEqual([id]);
  });

  it("answers although no collector receives traces, and says so in one line", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const { exitCode, stdout, stderr } = await run(["ask", "-q", "--trace", "bread?"], {
      cwd: folderWith(shopMesh),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
    });

    expect(exitCode).toBe(0);
    expect(stdout).toContain("12");
    expect(warn).not.toHaveBeenCalled();
    expect(stderr).toMatch(
      /^Trace: [0-9a-f]{32} could not be sent\. The collector at http:\/\/127\.0\.0\.1:9\/v1\/\w+ .*\n$/,
    );
  });

  it("sends runs without --trace where the mesh file has an endpoint", async () => {
    const { url, bodies } = await receiver();

    const { stderr } = await run(["ask", "-q", "bread?"], {
      cwd: folderWith({
        ...shopMesh,
        "mesh.yaml": `telemetry: { serviceName: town-hall, endpoint: "${url}" }\n${shopMesh["mesh.yaml"]}`,
      }),
    });

    expect(stderr).toBe("");
    expect(bodies.join("")).toContain("town-hall");
  });
});

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MeshError } from "@constellation/core";
import { afterEach, describe, expect, it } from "vitest";
import { createPrometheusReader } from "./prometheus-reader.js";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
const failureOf = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof MeshError)) throw new Error("expected a MeshError");
  return thrown;
};
const last = { start: 1_700_000_000_000, end: 1_700_000_060_000, stepMs: 15_000 };

describe("a server that answers", () => {
  it("is asked below the path of its URL, with the token of a file that may change", async () => {
    const folder = await mkdtemp(join(tmpdir(), "constellation-token-"));
    closers.push(() => rm(folder, { recursive: true }));
    const file = join(folder, "token");
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      json(200, { status: "success", data: { resultType: "matrix", result: [] } })(
        request,
        response,
      );
    });
    const reader = createPrometheusReader({ url: `${url}/tenant`, bearerTokenFile: file });

    for (const token of ["one\n", "two\n"]) {
      await writeFile(file, token);
      await reader.range("up", last);
    }

    const times = "start=1700000000.000&end=1700000060.000&step=15.000";
    const path = `GET /tenant/api/v1/query_range?query=up&${times} Bearer`;
    expect(seen).toEqual([`${path} one`, `${path} two`]);
  });

  it("may send every number there is", async () => {
    const values = ["1.5", "NaN", "+Inf", "-Inf", "1e300"];
    const result = values.map((value, n) => ({ metric: { n: String(n) }, values: [[1, value]] }));
    const url = await serve(
      json(200, { status: "success", data: { resultType: "matrix", result } }),
    );

    const series = await createPrometheusReader({ url }).range("x", last);

    expect(series.map(({ samples }) => samples[0]?.value)).toEqual([
      1.5,
      Number.NaN,
      Infinity,
      -Infinity,
      1e300,
    ]);
    expect(series[0]?.samples[0]?.at).toBe(1_000);
  });
});

describe("a server that does not", () => {
  it.each([
    [401, { status: "error" }, "UNAUTHORIZED", /rejected the credentials/],
    [403, "no", "UNAUTHORIZED", /rejected the credentials/],
    [429, {}, "RATE_LIMITED", /rejects further requests/],
    [
      400,
      { status: "error", errorType: "bad_data", error: "parse error at char 4" },
      "DATA_SOURCE_ERROR",
      /refused the query: parse error at char 4/,
    ],
    [200, { hello: 1 }, "DATA_SOURCE_ERROR", /did not answer like a Prometheus server/],
    [
      200,
      { status: "success", data: { resultType: "matrix", result: [{}] } },
      "DATA_SOURCE_ERROR",
      /did not answer like/,
    ],
    [502, "<html>", "DATA_SOURCE_ERROR", /did not answer like a Prometheus server \(status 502\)/],
  ])("with status %d and %j gives %s", async (status, body, code, message) => {
    const url = await serve(json(status, body));

    const error = await failureOf(createPrometheusReader({ url }).range("up", last));

    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it("is not followed elsewhere, and the token stays", async () => {
    let elsewhere = 0;
    const other = await serve((_request, response) => {
      elsewhere++;
      response.end("{}");
    });
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: other }).end();
    });

    const error = await failureOf(
      createPrometheusReader({ url, bearerToken: "s3cret-token" }).range("up", last),
    );

    expect(error).toMatchObject({
      code: "DATA_SOURCE_ERROR",
      message: expect.stringMatching(/redirects/),
    });
    expect(JSON.stringify(error.toInfo())).not.toContain("s3cret");
    expect(elsewhere).toBe(0);
  });

  it("is cut off at the maximum size", async () => {
    const url = await serve((_request, response) => {
      const send = () => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", send);
      };
      send();
    });

    const reader = createPrometheusReader({ url, maxResponseBytes: 100_000 });
    const error = await failureOf(reader.range("up", last));

    expect(error.message).toMatch(/sent more than 100000 bytes/);
  });

  it("is left when the signal aborts, while the answer is still coming", async () => {
    const controller = new AbortController();
    const url = await serve((_request, response) => {
      response.writeHead(200).write('{"status":');
      controller.abort();
    });

    const error = await failureOf(
      createPrometheusReader({ url }).range("up", { ...last, signal: controller.signal }),
    );

    expect(error).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
  });

  it("is named when nothing listens", async () => {
    const url = await serve(() => {});
    for (const close of closers.splice(0)) await close();

    const error = await failureOf(createPrometheusReader({ url }).alerts({}));

    expect(error).toMatchObject({
      code: "DATA_SOURCE_ERROR",
      message: `Prometheus at ${url} refused the connection.`,
    });
  });
});

it("refuses wrong options and shows no token", () => {
  expect(() => createPrometheusReader({ url: "prometheus:9090" })).toThrow(RangeError);
  expect(() => createPrometheusReader({ url: "http://user:secret@host" })).toThrow(/^url: /);
  const wrong = { url: "http://host", bearerToken: "s3cret", maxResponseBytes: 1 };
  expect(() => createPrometheusReader(wrong)).toThrow(/^maxResponseBytes: .* got 1\.$/);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { recordAt, textAt } from "../src/cluster/fields.js";
import { getKind, kindNames, kindOfObject } from "../src/cluster/kinds.js";
import type { FakeCluster } from "./fake-cluster.js";

/** What the server does instead of answering as it should. */
export type Misbehaviour =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "hang"
  | "drip"
  | "cut"
  | "refuse"
  | "malformed"
  | "huge"
  | "same-token";

/** A request that came in. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** An API server on a loopback port. */
export interface FakeApiServer {
  readonly url: string;
  /** Path of a kubeconfig file for it. */
  readonly kubeconfig: string;
  readonly requests: readonly SeenRequest[];
  /** The next requests whose URL matches misbehave like this, one after the other, the last one for ever. */
  misbehave(pattern: RegExp, ...how: readonly (Misbehaviour | "well")[]): void;
  /** Sockets that are open now. */
  openSockets(): number;
  close(): Promise<void>;
}

/** Starts a server that shows a cluster. */
export async function startFakeApiServer(
  cluster: FakeCluster,
  user: object = { token: "letmein" },
  tls?: { readonly cert: string; readonly key: string },
): Promise<FakeApiServer> {
  const requests: SeenRequest[] = [];
  const plans: { pattern: RegExp; how: (Misbehaviour | "well")[] }[] = [];
  const sockets = new Set<unknown>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    requests.push({
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
    });
    const plan = plans.find(({ pattern }) => pattern.test(request.url ?? ""));
    const next = plan && (plan.how.length > 1 ? plan.how.shift() : plan.how[0]);
    if (next !== undefined && next !== "well") misbehave(next, response);
    else answer(cluster, request, response);
  };
  const server = tls === undefined ? http.createServer(handle) : https.createServer(tls, handle);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), "fake-api-"));
  const kubeconfig = join(folder, "config");
  await writeFile(kubeconfig, kubeconfigFor(url, user));
  return {
    url,
    kubeconfig,
    requests,
    misbehave: (pattern, ...how) => void plans.unshift({ pattern, how: [...how] }),
    openSockets: () => sockets.size,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function kubeconfigFor(url: string, user: object): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "fake",
    clusters: [{ name: "fake", cluster: { server: url, "insecure-skip-tls-verify": true } }],
    users: [{ name: "fake", user }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "fake" } }],
  });
}

function misbehave(how: Misbehaviour, response: ServerResponse): void {
  if (typeof how === "object") {
    response.writeHead(how.status, how.headers).end(how.body ?? JSON.stringify({ kind: "Status" }));
  } else if (how === "drip") {
    response.writeHead(200).write('{"kind":"PodList",');
  } else if (how === "cut") {
    response.writeHead(200, { "content-length": "1000" }).write('{"kind":"PodList","items":[');
    setImmediate(() => response.destroy());
  } else if (how === "refuse") {
    response.destroy();
  } else if (how === "malformed") {
    response.end('<html>{"items": nonsense');
  } else if (how === "huge") {
    response.write('{"items":[');
    const fill = () => {
      while (!response.destroyed && response.write("1,".repeat(50_000)));
    };
    response.on("drain", fill);
    fill();
  } else if (how === "same-token") {
    response.end(JSON.stringify({ kind: "PodList", metadata: { continue: "x" }, items: [] }));
  }
}

function answer(cluster: FakeCluster, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "", "http://fake");
  const log = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log$/.exec(url.pathname);
  if (log !== null) {
    const suffix = url.searchParams.get("previous") === "true" ? "#previous" : "";
    const text = cluster.logs[`${log[1]}/${log[2]}/${url.searchParams.get("container")}${suffix}`];
    if (text === undefined) status(response, 400, "BadRequest");
    else response.end(text.slice(0, Number(url.searchParams.get("limitBytes") ?? text.length)));
    return;
  }
  const path =
    /^\/(?:api|apis\/([^/]+))\/(v\w+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/.exec(
      url.pathname,
    );
  const [, group = "", version = "", namespace, plural = "", name] = path ?? [];
  const all = found(cluster, group, version, plural);
  if (all === undefined) {
    response.writeHead(404).end("404 page not found\n");
    return;
  }
  const items = all.filter(
    (item) => namespace === undefined || textAt(item, "metadata", "namespace") === namespace,
  );
  if (name === undefined) list(items.filter(selectedBy(url)), url, response);
  else {
    const item = items.find((candidate) => textAt(candidate, "metadata", "name") === name);
    if (item === undefined) status(response, 404, "NotFound", name);
    else response.end(JSON.stringify(item));
  }
}

/** Label and field selectors with `=`, as far as the reader uses them. */
function selectedBy(url: URL): (item: unknown) => boolean {
  const pairs = (name: string) =>
    (url.searchParams.get(name) ?? "")
      .split(",")
      .filter((one) => one !== "")
      .map((one) => one.split("=", 2));
  const labels = pairs("labelSelector");
  const fields = pairs("fieldSelector");
  return (item) =>
    labels.every(([key = "", value]) => recordAt(item, "metadata", "labels")[key] === value) &&
    fields.every(([path = "", value]) => textAt(item, ...path.split(".")) === value);
}

/** Undefined for a kind that this server does not know. */
function found(
  cluster: FakeCluster,
  group: string,
  version: string,
  plural: string,
): readonly unknown[] | undefined {
  if (plural === "events") return group === "" ? cluster.events : cluster.newerEvents;
  if (group === "metrics.k8s.io")
    return plural === "pods" ? cluster.podMetrics : cluster.nodeMetrics;
  const kind = kindNames.find((candidate) => {
    const entry = getKind(candidate);
    return entry.group === group && entry.version === version && entry.plural === plural;
  });
  if (kind === undefined || kind === "GatewayClass") return undefined;
  return cluster.objects.filter(
    (object) => kindOfObject(textAt(object, "kind") ?? "", textAt(object, "apiVersion")) === kind,
  );
}

/** Items of a list do not carry their kind, as in a real server. */
function list(items: readonly unknown[], url: URL, response: ServerResponse): void {
  const from = Number(url.searchParams.get("continue") ?? "0");
  const limit = Number(url.searchParams.get("limit") ?? items.length);
  const page = items.slice(from, from + limit).map((item) => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = recordAt(item);
    return rest;
  });
  const next = from + limit < items.length ? { continue: String(from + limit) } : {};
  response.end(JSON.stringify({ kind: "SomeList", metadata: next, items: page }));
}

function status(response: ServerResponse, code: number, reason: string, name?: string): void {
  response.writeHead(code).end(
    JSON.stringify({
      kind: "Status",
      status: "Failure",
      message: "token=hunter2",
      reason,
      details: name === undefined ? {} : { name },
      code,
    }),
  );
}

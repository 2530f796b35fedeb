import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import https from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isRecord, listAt, recordAt, textAt, valueAt } from "../src/cluster/fields.js";
import { loopback } from "./loopback-certificate.js";

/** The programs of a control plane, by the variable that names each. */
const programs = { KUBE_APISERVER: "kube-apiserver", ETCD: "etcd", KUBECTL: "kubectl" } as const;
type Programs = Readonly<Record<keyof typeof programs, string>>;

/** The programs that were found, or which were not. */
export function findControlPlane(): { readonly found?: Programs; readonly missing: string } {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const entries = Object.entries(programs).map(([variable, name]) => {
    const places = [process.env[variable] ?? "", ...folders.map((folder) => join(folder, name))];
    return [variable, places.find((place) => place !== "" && existsSync(place))] as const;
  });
  const missing = entries.flatMap(([variable, place]) => (place === undefined ? [variable] : []));
  return missing.length > 0
    ? { missing: missing.join(", ") }
    : { found: Object.fromEntries(entries) as Programs, missing: "" };
}

/** An API server with its store, on loopback ports, without controllers: a status stays as it was written. */
export interface RealApiServer {
  readonly kubeconfig: string;
  readonly kubectl: string;
  /** Process id of the API server. */
  readonly pid: number | undefined;
  /**
   * Creates objects with their status and their time of creation. Each owner comes before what it owns.
   *
   * @returns What the server said to those that it refused.
   */
  create(objects: readonly unknown[]): Promise<readonly string[]>;
  /** Deletes what was created. */
  clear(): Promise<void>;
  request(method: string, path: string, body?: unknown, type?: string): Promise<unknown>;
  stop(): Promise<void>;
}

const token = "loopback-only";

/** @throws Error when one of the programs ends before the server is ready. */
export async function startRealApiServer({
  KUBE_APISERVER,
  ETCD,
  KUBECTL,
}: Programs): Promise<RealApiServer> {
  const folder = await mkdtemp(join(tmpdir(), "kube-"));
  const children: ChildProcess[] = [];
  const [port, storePort, peerPort] = await freePorts(3);
  const store = `http://127.0.0.1:${storePort}`;
  const url = `https://127.0.0.1:${port}`;
  const path = (name: string) => join(folder, name);
  await Promise.all([
    writeFile(path("tokens.csv"), `${token},admin,1,system:masters\n`),
    writeFile(path("tls.crt"), loopback.cert),
    writeFile(path("tls.key"), loopback.key),
    writeFile(path("kubeconfig"), JSON.stringify(createKubeconfig(url))),
  ]);
  const paths: string[] = [];
  let log = "";
  const run = (program: string, flags: Readonly<Record<string, string>>) => {
    const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const child = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (text: Buffer) => {
      log = `${log}${text.toString()}`.slice(-4_000);
    });
    children.push(child);
    return child;
  };
  const agent = new https.Agent({ keepAlive: true, ca: loopback.cert, maxSockets: 32 });
  const server: RealApiServer = {
    kubeconfig: path("kubeconfig"),
    kubectl: KUBECTL,
    get pid() {
      return children[1]?.pid;
    },
    request: async (method, place, body, type) => {
      const { status, value } = await send(agent, `${url}${place}`, { method, body, type });
      if (status >= 300) throw new Error(`${method} ${place}: ${status} ${JSON.stringify(value)}`);
      return value;
    },
    create: (objects) => createAll(server, store, objects, paths),
    async clear() {
      const remove = { method: "DELETE", body: { gracePeriodSeconds: 0 } };
      await Promise.all(paths.splice(0).map((place) => send(agent, `${url}${place}`, remove)));
    },
    async stop() {
      agent.destroy();
      for (const child of children.toReversed()) await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    run(ETCD, {
      "data-dir": path("store"),
      "listen-client-urls": store,
      "advertise-client-urls": store,
      "listen-peer-urls": `http://127.0.0.1:${peerPort}`,
      "unsafe-no-fsync": "true",
      "log-level": "error",
    });
    const api = run(KUBE_APISERVER, {
      "etcd-servers": store,
      // So that the time of creation can be written there.
      "storage-media-type": "application/json",
      "bind-address": "127.0.0.1",
      "secure-port": String(port),
      "tls-cert-file": path("tls.crt"),
      "tls-private-key-file": path("tls.key"),
      "token-auth-file": path("tokens.csv"),
      "authorization-mode": "RBAC",
      "service-account-issuer": url,
      "service-account-key-file": path("tls.crt"),
      "service-account-signing-key-file": path("tls.key"),
      "service-cluster-ip-range": "10.0.0.0/12",
      // Recorded states hold what these would refuse or complete.
      "disable-admission-plugins":
        "ServiceAccount,ResourceQuota,LimitRanger,Priority,DefaultStorageClass,TaintNodesByCondition,StorageObjectInUseProtection,DefaultTolerationSeconds,PodSecurity,RuntimeClass,NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook",
    });
    for (;;) {
      const ready = await send(agent, `${url}/readyz`, { method: "GET" }).catch(() => undefined);
      if (ready?.status === 200) return server;
      if (children.some(({ exitCode }) => exitCode !== null) || api.exitCode !== null)
        throw new Error(`The API server did not start.\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } catch (thrown) {
    await server.stop();
    throw thrown;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGKILL");
  });
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((one) => new Promise((resolve) => one.once("listening", resolve))));
  const ports = servers.map((one) => (one.address() as AddressInfo).port);
  await Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))));
  return ports;
}

function createKubeconfig(server: string): object {
  const authority = Buffer.from(loopback.cert).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "here", cluster: { server, "certificate-authority-data": authority } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "here", context: { cluster: "here", user: "admin" } }],
    "current-context": "here",
  };
}

function send(
  agent: https.Agent,
  url: string,
  {
    method,
    body,
    type = "application/json",
  }: { method: string; body?: unknown; type?: string | undefined },
): Promise<{ readonly status: number; readonly value: unknown }> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": type,
      "content-length": Buffer.byteLength(text),
    };
    const request = https.request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const answer = Buffer.concat(chunks).toString();
        const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
        resolve({ status: response.statusCode ?? 0, value: isJson ? JSON.parse(answer) : answer });
      });
    });
    request.on("error", reject);
    request.end(text);
  });
}

/** Fields that the server sets. */
const own = ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"];
/** What has to be there before what: the kinds of one step, and all others in the second one. */
const steps = [["Namespace", "Node"], [], ["ReplicaSet", "Job"], ["Pod", "Event"]];
/** Where the store keeps a kind under another name than the API. */
const storeFolders: Readonly<Record<string, string>> = {
  services: "services/specs",
  endpoints: "services/endpoints",
  nodes: "minions",
  ingresses: "ingress",
};

/** Creates objects in the order of {@link steps}, and notes their paths. */
async function createAll(
  server: RealApiServer,
  store: string,
  objects: readonly unknown[],
  paths: string[],
): Promise<readonly string[]> {
  const refused: string[] = [];
  const uids = new Map<string, string>();
  const resources = new Map<string, Promise<readonly unknown[]>>();
  const spaces = new Set(objects.flatMap((one) => textAt(one, "metadata", "namespace") ?? []));
  const isNamed = (name: string) =>
    objects.some(
      (one) => textAt(one, "kind") === "Namespace" && textAt(one, "metadata", "name") === name,
    );
  const all = [
    ...[...spaces]
      .filter((name) => !isNamed(name))
      .map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    ...objects,
  ];

  /** The path of the list of an object's kind; undefined where the server does not know it. */
  async function listPath(value: unknown): Promise<string | undefined> {
    const version = textAt(value, "apiVersion") ?? "v1";
    const api = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
    const known =
      resources.get(api) ??
      server.request("GET", api).then(
        (found) => listAt(found, "resources"),
        () => [],
      );
    resources.set(api, known);
    const resource = (await known).find((one) => textAt(one, "kind") === textAt(value, "kind"));
    const plural = textAt(resource, "name");
    const place = valueAt(resource, "namespaced") === true ? `/namespaces/${spaceOf(value)}` : "";
    return plural === undefined ? undefined : `${api}${place}/${plural.split("/")[0]}`;
  }

  async function createOne(recorded: unknown): Promise<void> {
    const list = await listPath(recorded);
    if (list === undefined) return;
    // The server gives other ids than the recorded ones, which owners and the labels of a Job repeat.
    const text = JSON.stringify(recorded);
    const value: unknown = JSON.parse(
      text.replaceAll(/"([\w-]{3,64})"/g, (whole, id: string) => {
        const known = uids.get(id);
        return known === undefined ? whole : `"${known}"`;
      }),
    );
    const name = textAt(value, "metadata", "name") ?? "";
    const kind = textAt(value, "kind") ?? "";
    // Namespaces stay: without a controller none is ever deleted.
    if (kind !== "Namespace") paths.push(`${list}/${name}`);
    const { status, ...rest } = withoutGiven(value);
    const ownerReferences = listAt(value, "metadata", "ownerReferences").map((one) => ({
      apiVersion: "apps/v1",
      ...recordAt(one),
      uid: uids.get(`${spaceOf(value)}/${textAt(one, "kind")}/${textAt(one, "name")}`) ?? "gone",
    }));
    const created = await server
      .request("POST", list, { ...rest, metadata: { ...recordAt(rest.metadata), ownerReferences } })
      .catch((thrown: unknown) => {
        // The server has made some by itself, such as namespace default.
        if (!String(thrown).includes("AlreadyExists")) throw thrown;
        return server.request("GET", `${list}/${name}`);
      });
    const uid = textAt(created, "metadata", "uid") ?? "";
    uids.set(`${spaceOf(value)}/${kind}/${name}`, uid);
    uids.set(textAt(recorded, "metadata", "uid") ?? "", uid);
    const creationTimestamp = textAt(value, "metadata", "creationTimestamp");
    let kept: unknown;
    if (isRecord(status) && kind !== "Event" && kind !== "Namespace") {
      const type = "application/merge-patch+json";
      kept = await server
        .request("PATCH", `${list}/${name}/status`, { status }, type)
        .then(() => undefined)
        // Not every kind has a status of its own, and a newer server refuses some statuses of an older one.
        .catch((thrown: unknown) => (/: 40[45] /.test(String(thrown)) ? undefined : status));
    }
    if (creationTimestamp !== undefined || kept !== undefined)
      await writeStored(store, `${list}/${name}`, { creationTimestamp, status: kept });
  }

  for (const [step, kinds] of steps.entries()) {
    const isOf = (one: unknown) => {
      const at = steps.findIndex((some) => some.includes(textAt(one, "kind") ?? ""));
      return kinds.length === 0 ? at < 0 : at === step;
    };
    const some = all.filter(isOf);
    for (let index = 0; index < some.length; index += 64)
      await Promise.all(
        some.slice(index, index + 64).map((one) =>
          createOne(one).catch((thrown: unknown) => {
            refused.push(String(thrown));
          }),
        ),
      );
  }
  return refused;
}

/** An object without what the server sets itself: ids, versions, addresses, and the selector of a Job. */
function withoutGiven(value: unknown): Readonly<Record<string, unknown>> {
  const without = (one: unknown, fields: readonly string[]) =>
    Object.fromEntries(Object.entries(recordAt(one)).filter(([field]) => !fields.includes(field)));
  const spec = recordAt(value, "spec");
  const metadata = without(recordAt(value, "metadata"), own);
  const kind = textAt(value, "kind");
  if (kind === "Service" && spec.clusterIP !== "None")
    return { ...recordAt(value), metadata, spec: without(spec, ["clusterIP", "clusterIPs"]) };
  if (kind !== "Job") return { ...recordAt(value), metadata };
  const template = recordAt(spec, "template");
  const labels = Object.entries(recordAt(template, "metadata", "labels")).filter(
    ([key]) => !/controller-uid|job-name/.test(key),
  );
  const templateMetadata = {
    ...recordAt(template, "metadata"),
    labels: Object.fromEntries(labels),
  };
  return {
    ...recordAt(value),
    metadata,
    spec: { ...without(spec, ["selector"]), template: { ...template, metadata: templateMetadata } },
  };
}

function spaceOf(value: unknown): string {
  return textAt(value, "metadata", "namespace") ?? "default";
}

/** Writes what the server does not let anyone set: the time of creation, and a status that it would not make itself. */
async function writeStored(
  store: string,
  path: string,
  {
    creationTimestamp,
    status,
  }: { readonly creationTimestamp: string | undefined; readonly status: unknown },
): Promise<void> {
  const ask = async (what: string, body: object): Promise<unknown> =>
    (await fetch(`${store}/v3/kv/${what}`, { method: "POST", body: JSON.stringify(body) })).json();
  const encode = (text: string) => Buffer.from(text).toString("base64");
  const [, group = "", namespace = "", plural = "", name = ""] =
    /^\/apis?\/(?:([^/]+)\/)?v\w+(?:\/namespaces\/([^/]+))?\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const place = namespace === "" ? name : `${namespace}/${name}`;
  for (const folder of [storeFolders[plural] ?? plural, `${group}/${plural}`]) {
    const key = encode(`/registry/${folder}/${place}`);
    const found = listAt(await ask("range", { key }), "kvs")[0];
    if (found === undefined) continue;
    const text = Buffer.from(textAt(found, "value") ?? "", "base64").toString();
    const object: unknown = JSON.parse(text);
    const metadata = {
      ...recordAt(object, "metadata"),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    };
    const changed = { ...recordAt(object), metadata, ...(status !== undefined && { status }) };
    await ask("put", { key, value: encode(JSON.stringify(changed)) });
    return;
  }
  throw new Error(`${path} is not in the store`);
}

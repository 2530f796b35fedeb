import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { isRecord } from "@constellation/core/checks";
import type { PingResponder, RunningResponder } from "@constellation/transport";
import type { NatsTransportOptions } from "./options.js";
import {
  runResponderThread,
  type ThreadConnection,
  type ThreadMessage,
} from "./responder-thread.js";

/** The thread of this process, which all its transports share. */
interface Thread {
  readonly worker: Worker;
  /** Callbacks for the first answered ping, by number. */
  readonly onReady: Map<number, () => void>;
}

let shared: Thread | undefined;
let count = 0;

/**
 * Answers pings from a thread of its own: it does not keep the process alive, and works where the event loop is busy.
 *
 * @param onReady - Called when it answers for the first time, and never where threads cannot be started.
 */
export function startResponder(
  options: NatsTransportOptions,
  { subject, replyPrefix, digest }: PingResponder,
  onReady: () => void,
): RunningResponder {
  const id = ++count;
  let latest = digest;
  let isClosed = false;
  let thread: Thread | undefined;
  const post = (message: ThreadMessage) => thread?.worker.postMessage(message);

  async function start(): Promise<void> {
    const connection = await readConnection(options);
    if (isClosed) return;
    thread = openThread();
    thread.onReady.set(id, onReady);
    post({ t: "start", id, connection: { ...connection, subject, replyPrefix, digest: latest } });
  }

  void start().catch(() => undefined); // the event loop answers
  return {
    update(given) {
      latest = given;
      post({ t: "digest", id, digest: given });
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      if (thread === undefined) return;
      post({ t: "stop", id });
      thread.onReady.delete(id);
      if (thread.onReady.size > 0) return;
      if (shared === thread) shared = undefined;
      void thread.worker.terminate();
    },
  };
}

function openThread(): Thread {
  if (shared !== undefined) return shared;
  // Build tools may wrap functions to keep their names.
  const program = `const __name = (given) => given;\n(${runResponderThread.toString()})();`;
  const worker = new Worker(program, {
    eval: true,
    name: "constellation-pings",
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  const opened: Thread = { worker, onReady: new Map() };
  worker.unref();
  worker.on("message", (message: unknown) => {
    if (isRecord(message) && typeof message.id === "number") opened.onReady.get(message.id)?.();
  });
  worker.on("error", () => {
    if (shared === opened) shared = undefined;
  });
  shared = opened;
  return opened;
}

/** Options for the thread, with the contents of files. */
async function readConnection(
  options: NatsTransportOptions,
): Promise<Omit<ThreadConnection, "subject" | "replyPrefix" | "digest">> {
  const { servers, tls, credentials = {} } = options;
  const addresses = typeof servers === "string" ? [servers] : servers;
  const { file, nkeyFile, token, user, password } = credentials;
  const text = async (path: string | undefined) =>
    path === undefined ? undefined : await readFile(path, "utf8");
  const [creds, nkey, ca, cert, key] = await Promise.all(
    [file, nkeyFile, tls?.caFile, tls?.certFile, tls?.keyFile].map(text),
  );
  const jwt = creds?.match(/BEGIN NATS USER JWT-+\s+([\w.-]+)\s/)?.[1];
  const seed = creds?.match(/BEGIN USER NKEY SEED-+\s+(\w+)\s/)?.[1] ?? nkey?.trim();
  return {
    servers: addresses.map(parseAddress),
    tls:
      tls === undefined
        ? undefined
        : {
            ...(ca !== undefined && { ca }),
            ...(cert !== undefined && { cert }),
            ...(key !== undefined && { key }),
          },
    auth: {
      ...(user !== undefined && { user }),
      ...(password !== undefined && { pass: password }),
      ...(token !== undefined && { auth_token: token }),
      ...(jwt !== undefined && { jwt }),
      ...(nkey !== undefined && { nkey: await publicKeyOf(nkey.trim()) }),
    },
    seed: seed === undefined ? undefined : decodeSeed(seed),
  };
}

async function publicKeyOf(seed: string): Promise<string> {
  const { nkeys } = await import("@nats-io/transport-node");
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
}

function parseAddress(address: string): ThreadConnection["servers"][number] {
  const { protocol, hostname, port } = new URL(
    address.includes("://") ? address : `nats://${address}`,
  );
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? 4_222 : Number(port),
    isTls: protocol === "tls:",
  };
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The 32 bytes of a seed, which stand after two of its kind and before two that check it. */
function decodeSeed(seed: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const sign of seed) {
    value = ((value << 5) | base32.indexOf(sign)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return Uint8Array.from(bytes.slice(2, 34));
}

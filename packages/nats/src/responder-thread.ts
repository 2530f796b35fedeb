import type { Socket } from "node:net";

/** What the thread needs to answer pings for one transport. */
export interface ThreadConnection {
  /** Hosts and ports of the servers. */
  readonly servers: readonly {
    readonly host: string;
    readonly port: number;
    readonly isTls: boolean;
  }[];
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  readonly auth: {
    readonly user?: string;
    readonly pass?: string;
    readonly auth_token?: string;
    readonly jwt?: string;
    readonly nkey?: string;
  };
  /** Seed of an nkey: 32 bytes. */
  readonly seed: Uint8Array | undefined;
  readonly subject: string;
  readonly replyPrefix: string;
  readonly digest: string;
}

/** A message to the thread. */
export type ThreadMessage =
  | { readonly t: "start"; readonly id: number; readonly connection: ThreadConnection }
  | { readonly t: "digest"; readonly id: number; readonly digest: string }
  | { readonly t: "stop"; readonly id: number };

/**
 * The whole program of the thread. It runs from its source text, so that it also works in an application bundled into
 * one file, and must not use anything outside of it.
 *
 * It speaks as much of the NATS protocol as it needs to answer pings with the clock of this process.
 */
export function runResponderThread(): void {
  const builtin = <Name extends "node:net" | "node:tls" | "node:crypto" | "node:worker_threads">(
    name: Name,
  ) => process.getBuiltinModule(name);
  const net = builtin("node:net");
  const tls = builtin("node:tls");
  const crypto = builtin("node:crypto");
  const { parentPort } = builtin("node:worker_threads");
  const times = { againMs: 250, handshakeMs: 4_000, pingMs: 5_000 };
  const running = new Map<number, { setDigest: (digest: string) => void; stop: () => void }>();

  function sign(seed: Uint8Array, nonce: string): string {
    const header = Buffer.from("302e020100300506032b657004220420", "hex"); // PKCS 8 of an Ed25519 key
    const der = Buffer.concat([header, seed]);
    const key = crypto.createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    return crypto.sign(null, Buffer.from(nonce), key).toString("base64url");
  }

  function start(id: number, connection: ThreadConnection): void {
    let digest = connection.digest;
    let isStopped = false;
    let socket: Socket | undefined;
    let at = Math.floor(Math.random() * connection.servers.length);
    let timer: NodeJS.Timeout | undefined;

    function connect(): void {
      const server = connection.servers[at++ % connection.servers.length];
      if (isStopped || server === undefined) return;
      let pending = Buffer.alloc(0);
      let unanswered = 0;
      let isReady = false;
      const open = net.connect(server.port, server.host);
      socket = open;
      const ping = setInterval(() => {
        if (++unanswered > 2) socket?.destroy();
        else socket?.write("PING\r\n");
      }, times.pingMs);
      const handshake = setTimeout(() => socket?.destroy(), times.handshakeMs);

      function follow(used: Socket): void {
        used.setNoDelay(true);
        used.on("data", (bytes) => {
          pending = pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([pending, bytes]);
          read();
        });
        used.on("error", () => undefined); // its close follows
        used.on("close", () => {
          if (used !== socket) return; // it was wrapped
          clearInterval(ping);
          clearTimeout(handshake);
          if (!isStopped) timer = setTimeout(connect, times.againMs);
        });
      }

      function read(): void {
        for (;;) {
          const end = pending.indexOf("\r\n");
          if (end < 0) return;
          const [word = "", ...rest] = pending.subarray(0, end).toString().split(" ");
          if (word.toUpperCase() === "MSG") {
            const size = Number(rest.at(-1));
            const total = end + 2 + size + 2;
            if (!Number.isSafeInteger(size)) return void socket?.destroy();
            if (pending.length < total) return;
            pending = pending.subarray(total);
            const reply = rest.length === 4 ? rest[2] : undefined;
            if (reply?.startsWith(connection.replyPrefix) === true) answer(reply);
            continue;
          }
          pending = pending.subarray(end + 2);
          if (word === "PING") socket?.write("PONG\r\n");
          else if (word === "PONG") onPong();
          else if (word === "INFO") onInfo(rest.join(" "));
          else if (word === "-ERR") onError(rest.join(" "));
        }
      }

      function answer(reply: string): void {
        const clock = Number(process.hrtime.bigint()) / 1e6;
        const text = `${JSON.stringify({ t: "pong", clock, digest })}\n`;
        socket?.write(`PUB ${reply} ${Buffer.byteLength(text)}\r\n${text}\r\n`);
      }

      function onPong(): void {
        unanswered = 0;
        if (isReady) return;
        isReady = true;
        clearTimeout(handshake);
        parentPort?.postMessage({ t: "ready", id });
      }

      function onError(text: string): void {
        // Without permission to subscribe, the event loop answers.
        if (/permissions violation for subscription/i.test(text)) stop();
        else if (!/permissions violation/i.test(text)) socket?.destroy();
      }

      function onInfo(json: string): void {
        if (isReady) return; // update of the cluster
        const info = JSON.parse(json) as { nonce?: string; tls_required?: boolean };
        const needsTls = server?.isTls === true || info.tls_required === true;
        if (needsTls && socket === open) {
          open.removeAllListeners("data");
          const secure = tls.connect({
            socket: open,
            host: server?.host,
            ...(net.isIP(server?.host ?? "") === 0 && { servername: server?.host }),
            ...connection.tls,
          });
          socket = secure;
          follow(secure);
          secure.once("secureConnect", () => greet(info.nonce));
          return;
        }
        greet(info.nonce);
      }

      function greet(nonce: string | undefined): void {
        const { seed, auth } = connection;
        const options = {
          verbose: false,
          pedantic: false,
          headers: false,
          protocol: 1,
          lang: "node",
          version: "1",
          name: "constellation-pings",
          ...auth,
          ...(seed !== undefined && nonce !== undefined && { sig: sign(seed, nonce) }),
        };
        socket?.write(
          `CONNECT ${JSON.stringify(options)}\r\nSUB ${connection.subject} 1\r\nPING\r\n`,
        );
      }

      follow(open);
    }

    function stop(): void {
      isStopped = true;
      clearTimeout(timer);
      socket?.destroy();
      running.delete(id);
    }

    running.set(id, {
      stop,
      setDigest(given) {
        digest = given;
      },
    });
    connect();
  }

  parentPort?.on("message", (message: ThreadMessage) => {
    if (message.t === "start") start(message.id, message.connection);
    if (message.t === "digest") running.get(message.id)?.setDigest(message.digest);
    if (message.t === "stop") running.get(message.id)?.stop();
  });
}

import type { Server } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import type { ServerLimits } from "../limits.js";

/** The connections of a server, bounded in all and per address. */
export interface Connections {
  /** Bounds the connections that a server accepts from now on. */
  bound(server: Server): void;
  /** Whether a connection was accepted beyond the bounds, only so that health can be read. */
  isReserve(socket: Socket): boolean;
  /**
   * Whether there are more connections than requests that can be in progress. A refused client should then not keep
   * its connection: Node.js accepts one connection per turn of the event loop, so that busy connections would delay
   * new ones by seconds.
   */
  readonly isCrowded: boolean;
}

/** Maximum number of connections beyond the bounds. When there are more, the oldest is cut. */
const maxReserve = 64;
/** Maximum life of a connection beyond the bounds, in milliseconds: enough for one health check. */
const reserveMs = 3_000;

/**
 * Counts connections. One beyond the bounds may still read health for a short time, so that probes work however many
 * connections are open.
 *
 * @param isProxy - Whether an address is a proxy for many clients, which has no limit of its own.
 */
export function createConnections(
  { connections, connectionsPerAddress, concurrency }: ServerLimits,
  isProxy: (address: string) => boolean,
): Connections {
  const openPerAddress = new Map<string, number>();
  const reserve = new Set<Socket>();
  let open = 0;

  function accept(socket: Socket): void {
    const { remoteAddress = "" } = socket;
    const address = clientNetwork(remoteAddress);
    const ofAddress = openPerAddress.get(address) ?? 0;
    const isWithin = ofAddress < connectionsPerAddress || isProxy(remoteAddress);
    if (open >= connections || !isWithin) {
      acceptInReserve(socket);
      return;
    }
    open++;
    openPerAddress.set(address, ofAddress + 1);
    socket.once("close", () => {
      open--;
      const left = (openPerAddress.get(address) ?? 1) - 1;
      if (left === 0) openPerAddress.delete(address);
      else openPerAddress.set(address, left);
    });
  }

  function acceptInReserve(socket: Socket): void {
    reserve.add(socket);
    const timer = setTimeout(() => socket.destroy(), reserveMs);
    socket.once("close", () => {
      clearTimeout(timer);
      reserve.delete(socket);
    });
    const [oldest] = reserve;
    if (reserve.size <= maxReserve || oldest === undefined) return;
    reserve.delete(oldest);
    oldest.destroy();
  }

  return {
    bound(server) {
      server.on("connection", accept);
    },
    isReserve: (socket) => reserve.has(socket),
    get isCrowded() {
      return open > concurrency;
    },
  };
}

/** An IPv4 address, or the /64 network of an IPv6 address, which one client has to itself. */
function clientNetwork(address: string): string {
  const mapped = address.replace(/^::ffff:/i, "");
  if (!isIPv6(mapped)) return mapped;
  const [head = "", tail] = mapped.split("::");
  const groups = head.split(":");
  if (tail !== undefined) {
    const missing = 8 - groups.length - tail.split(":").length;
    groups.push(...Array<string>(Math.max(0, missing)).fill("0"), ...tail.split(":"));
  }
  return groups.slice(0, 4).join(":");
}

const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * Looks addresses up in a list.
 *
 * @param networks - Addresses, networks such as `10.0.0.0/8`, or loopback, linklocal, uniquelocal.
 * @throws Error for anything else.
 */
export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
  for (const each of networks.flatMap((name) => namedNetworks[name] ?? [name])) {
    const [address = "", prefix] = each.split("/");
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => {
    const plain = address.replace(/^::ffff:/i, "");
    return plain !== "" && list.check(plain, familyOf(plain));
  };
}

import { type Loopback, serveLoopback } from "./loopback.js";

/** A request as an agent gets it. */
export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly id?: string; readonly message?: unknown };
}

/** Serves an agent of another party: a card, and whatever `reply` makes of a request. */
export async function serveAgent(
  reply: (request: RpcRequest) => Response | Promise<Response>,
  card: (url: string) => unknown = cardOf,
): Promise<Loopback> {
  const server = await serveLoopback(async (request) => {
    if (request.method === "GET") return Response.json(card(server.url));
    return reply((await request.json()) as RpcRequest);
  });
  return server;
}

/** The card of an agent at an address. */
export function cardOf(url: string) {
  return {
    name: "Travel",
    description: "knows trains",
    version: "1",
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
}

/** A task in a state, as JSON. */
export const task = (state: string, more: object = {}) => ({
  id: "t-1",
  contextId: "c-1",
  status: { state: `TASK_STATE_${state}` },
  ...more,
});

/** Replies with a task to each request, one after the other, the last again and again. */
export function tasks(...each: readonly object[]) {
  let next = 0;
  return ({ id, method }: RpcRequest) => {
    const current = each[Math.min(next++, each.length - 1)];
    return Response.json({
      jsonrpc: "2.0",
      id,
      result: method === "SendMessage" ? { task: current } : current,
    });
  };
}

/** A message of an agent, as JSON. */
export const said = (text: string) => ({
  messageId: "m-2",
  role: "ROLE_AGENT",
  parts: [{ text }],
});

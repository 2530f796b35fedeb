import { createRouter, type Librarian, type Router, type RouterOptions } from "@constellation/core";
import { createServer, type MeshServer, type ServerOptions } from "@constellation/server";
import { onTestFinished } from "vitest";

/** A router with its server on loopback, both closed when the test is over. */
export interface ServedMesh {
  readonly router: Router;
  readonly server: MeshServer;
  readonly url: string;
  /** Sends a request to a path. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Posts JSON to a path. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

/** Serves librarians by id. The first one is the entry. */
export async function serveMesh(
  librarians: Readonly<Record<string, Librarian>>,
  options: ServerOptions = {},
  routerOptions: RouterOptions = {},
): Promise<ServedMesh> {
  const router = createRouter({ entry: Object.keys(librarians)[0], ...routerOptions });
  for (const [id, librarian] of Object.entries(librarians)) {
    router.register({ id, description: `answers as ${id}`, librarian });
  }
  const server = await createServer(router, options);
  const { url } = await server.listen();
  onTestFinished(async () => {
    await server.close();
    await router.close({ timeoutMs: 100 });
  });
  const send = (path: string, init?: RequestInit) => fetch(url + path, init);
  return {
    router,
    server,
    url,
    fetch: send,
    post: (path, body, init = {}) =>
      send(path, {
        ...init,
        method: "POST",
        headers: { "content-type": "application/json", ...init.headers },
        body: JSON.stringify(body),
      }),
  };
}

/** Answers at once. */
export const echo: Librarian = async (query) => ({ answer: `You asked: ${query}` });

/** A librarian that answers when the test says so, and reports when it was asked and stopped. */
export function heldLibrarian(): {
  readonly librarian: Librarian;
  readonly asked: Promise<AbortSignal>;
  answer(): void;
} {
  let tellAsked: (signal: AbortSignal) => void = () => undefined;
  let answer: () => void = () => undefined;
  const asked = new Promise<AbortSignal>((resolve) => {
    tellAsked = resolve;
  });
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return {
    asked,
    answer,
    librarian: async (_query, context) => {
      const signal = context?.signal;
      if (signal === undefined) throw new Error("a router gives a signal");
      tellAsked(signal);
      await Promise.race([held, aborted(signal)]);
      return { answer: "Here it is." };
    },
  };
}

/** Resolves when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads the events of a stream as they come; comments come as events named `comment`. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const [, event] = /^event: (.*)$/m.exec(text.slice(0, end)) ?? [];
      const [, data = "{}"] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      yield { event: event ?? "comment", data: JSON.parse(data) };
    }
  }
}

/** Waits until something holds, looking every few milliseconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > limit) throw new Error("It did not become true within 20 s.");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

import {
  type AIClient,
  createRouter,
  type ErrorCode,
  type HopContext,
  type Librarian,
  type LibrarianDefinition,
  type MeshLibrarian,
  type Response,
  type ResponseFields,
  type Router,
  type RouterOptions,
} from "@constellation/core";

/** A librarian, with what else its definition says. */
export type Part =
  | MeshLibrarian
  | (Partial<LibrarianDefinition> & { readonly librarian: MeshLibrarian });

/** A router with these librarians under their ids, the first of them its entry. */
export function meshOf(parts: Readonly<Record<string, Part>>, options: RouterOptions = {}): Router {
  const router = createRouter({ entry: Object.keys(parts)[0], ...options });
  for (const [id, part] of Object.entries(parts)) {
    const definition = typeof part === "function" ? { librarian: part } : part;
    router.register({ id, description: `Is asked as ${id}.`, ...definition });
  }
  return router;
}

/** Answers at once. */
export function answers(answer: string, rest: Omit<ResponseFields, "answer"> = {}): Librarian {
  return async () => ({ answer, ...rest });
}

/** Answers after a while; it does not listen to its signal. */
export function answersAfter(
  ms: number,
  answer: string,
  rest: Omit<ResponseFields, "answer"> = {},
): Librarian {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { answer, ...rest };
  };
}

/** Passes the query on, to one or to several. */
export function passesTo(...ids: readonly string[]): Librarian {
  const [first, ...others] = ids.map((to) => ({ to }));
  if (first === undefined) throw new RangeError("ids: expected one or more, got none.");
  return async () => ({ delegate: others.length === 0 ? first : [first, ...others] });
}

/** Returns what its type forbids. */
export function returning(value: unknown): Librarian {
  return async () => value as Response;
}

/** Gives an error. */
export function fails(code: ErrorCode, message = `It ended with ${code}.`): Librarian {
  return async () => ({ error: { code, message } });
}

/** Rejects. */
export const throws: Librarian = async () => {
  throw new Error("password=hunter2");
};

/** Never settles, whatever its signal says. */
export const never: Librarian = () => new Promise(() => {});

/** Waits until its signal aborts, then rejects with the reason. */
export const untilAborted: Librarian = (_query, context) =>
  new Promise((_resolve, reject) => {
    const signal = context?.signal;
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** A librarian, and the calls it has had. */
export interface Watched {
  readonly librarian: MeshLibrarian;
  readonly queries: readonly string[];
  /** Copies, made when it was called. */
  readonly contexts: readonly HopContext[];
}

/** Keeps what a librarian was called with. */
export function watched(inner: MeshLibrarian): Watched {
  const queries: string[] = [];
  const contexts: HopContext[] = [];
  return {
    queries,
    contexts,
    librarian: (query, context) => {
      queries.push(query);
      contexts.push({ ...context });
      return inner(query, context);
    },
  };
}

/** A promise that the test settles itself. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A model that says the same to everything, and the requests it has had. */
export function scriptedAi(text: string): AIClient & { readonly requests: readonly unknown[] } {
  const requests: unknown[] = [];
  const reply = async (request: unknown) => {
    requests.push(request);
    const usage = { inputTokens: 10, outputTokens: 5 };
    return { text, stopReason: "end" as const, usage, model: "scripted" };
  };
  return {
    requests,
    complete: reply,
    runTools: reply,
    analyze: async (request) => ({
      ...(await reply(request)),
      value: request.schema.parse(JSON.parse(text)),
    }),
  };
}

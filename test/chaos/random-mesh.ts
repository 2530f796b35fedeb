import type {
  AIClient,
  AskOptions,
  Context,
  LibrarianDefinition,
  MergeStrategy,
  Response,
  RouterOptions,
} from "@constellation/core";
import fc from "fast-check";

/** One thing a librarian does when it is called. */
export type Act =
  | { readonly kind: "answer"; readonly afterMs: number; readonly confidence?: number | undefined }
  | {
      readonly kind: "error";
      readonly afterMs: number;
      readonly code: "NOT_FOUND" | "RATE_LIMITED";
    }
  | { readonly kind: "throw" | "reject"; readonly afterMs: number }
  | { readonly kind: "garbage"; readonly which: number }
  | { readonly kind: "hang"; readonly obeys: boolean }
  | {
      readonly kind: "delegate";
      readonly to: readonly number[];
      readonly afterMs: number;
      readonly answer: boolean;
      readonly merge?: MergeStrategy | undefined;
    }
  | { readonly kind: "ask"; readonly to: number; readonly waits: boolean }
  | { readonly kind: "model"; readonly tokens: number };

/** A mesh, one query for it, and when the caller gives up. */
export interface Scenario {
  readonly librarians: readonly { readonly act: Act; readonly timeoutMs?: number | undefined }[];
  readonly router: RouterOptions;
  readonly ask: AskOptions;
  readonly cancelAfterMs?: number | undefined;
}

const most = 8;
const id = fc.integer({ min: 0, max: most }); // the last is never registered
const delay = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }));
const hangingMerge = (): Promise<Response> => new Promise(() => {});
const merge = fc.oneof(
  fc.constantFrom<MergeStrategy>("merge-all", "best-confidence", "first-success", "race"),
  fc.integer({ min: 1, max: 4 }).map((quorum): MergeStrategy => ({ quorum })),
  fc.constantFrom<MergeStrategy>(
    async (branches) => ({ answer: `${branches.length} branches`, confidence: 0.7 }),
    () => {
      throw new Error("secret");
    },
    hangingMerge,
    () => ({ answer: "merged", confidence: 2 }),
  ),
);

const delegating: fc.Arbitrary<Act> = fc.record({
  kind: fc.constant("delegate" as const),
  to: fc.array(id, { minLength: 1, maxLength: 6 }),
  afterMs: delay,
  answer: fc.boolean(),
  merge: fc.option(merge, { nil: undefined }),
});

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      afterMs: delay,
      confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    }),
  },
  {
    weight: 8,
    arbitrary: delegating,
  },
  fc.record({
    kind: fc.constant("error" as const),
    afterMs: delay,
    code: fc.constantFrom("NOT_FOUND" as const, "RATE_LIMITED" as const),
  }),
  fc.record({ kind: fc.constantFrom("throw" as const, "reject" as const), afterMs: delay }),
  fc.record({ kind: fc.constant("garbage" as const), which: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constant("hang" as const), obeys: fc.boolean() }),
  fc.record({ kind: fc.constant("ask" as const), to: id, waits: fc.boolean() }),
  fc.record({ kind: fc.constant("model" as const), tokens: fc.integer({ min: 1, max: 500 }) }),
);

const ownLimit = fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined, freq: 4 });

/** Small meshes in which everything goes wrong now and then. */
export const scenario: fc.Arbitrary<Scenario> = fc.record({
  librarians: fc
    .tuple(
      fc.record({ act: fc.oneof({ weight: 5, arbitrary: delegating }, act) }),
      fc.array(fc.record({ act, timeoutMs: ownLimit }), { minLength: 2, maxLength: most - 1 }),
    )
    .map(([first, others]) => [first, ...others]),
  router: fc.record({
    timeoutMs: fc.integer({ min: 1, max: 2_000 }),
    maxDepth: fc.integer({ min: 1, max: 6 }),
    maxHops: fc.integer({ min: 0, max: 60 }),
    maxFanout: fc.integer({ min: 1, max: 6 }),
    fanoutConcurrency: fc.integer({ min: 1, max: 6 }),
    loops: fc.constantFrom("path" as const, "work" as const),
    merge,
  }),
  ask: fc.record({ budget: fc.record({ tokens: fc.integer({ min: 0, max: 2_000 }) }) }),
  cancelAfterMs: fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: undefined, freq: 3 }),
});

/** Whether something in it may continue forever, whatever its signal does. */
export function mayHang({ librarians, router }: Scenario): boolean {
  return (
    router.merge === hangingMerge ||
    librarians.some(
      ({ act: what }) =>
        (what.kind === "hang" && !what.obeys) ||
        (what.kind === "delegate" && what.merge === hangingMerge),
    )
  );
}

/** What happened outside the router while a scenario ran. */
export interface Witness {
  calls: number;
  /** Tokens the model was really charged. */
  tokens: number;
  /** Timers that librarians and the model wait for. */
  timers: number;
}

export function definitionsOf(
  { librarians }: Scenario,
  witness: Witness,
): readonly LibrarianDefinition[] {
  return librarians.map(({ act: what, timeoutMs }, index) => ({
    id: `l${index}`,
    description: what.kind,
    ...(timeoutMs !== undefined && { timeoutMs }),
    librarian: (_query, context) => {
      witness.calls++;
      return perform(what, context, witness);
    },
  }));
}

/** A model that writes as much as it may. */
export function greedyModel(witness: Witness): AIClient {
  const reply = async ({ maxTokens = 0 }: { maxTokens?: number | undefined }) => {
    await sleep(20, undefined, witness);
    const outputTokens = Math.max(1, maxTokens);
    witness.tokens += outputTokens + 1;
    const usage = { inputTokens: 1, outputTokens };
    return { text: "{}", stopReason: "end" as const, model: "greedy", usage };
  };
  return {
    complete: reply,
    runTools: reply,
    analyze: async (request) => ({ ...(await reply(request)), value: request.schema.parse({}) }),
  };
}

const garbage: readonly unknown[] = [
  undefined,
  null,
  {},
  42,
  "answer",
  [],
  { confidence: 1 },
  { answer: "x", confidence: Number.NaN },
  { answer: "x", sources: [{}] },
  { delegate: [{ to: "l0" }, {}] },
];

async function perform(
  what: Act,
  context: Context | undefined,
  witness: Witness,
): Promise<Response> {
  switch (what.kind) {
    case "answer": {
      await sleep(what.afterMs, undefined, witness);
      const { confidence } = what;
      return { answer: "text", ...(confidence !== undefined && { confidence }) };
    }
    case "error":
      await sleep(what.afterMs, context?.signal, witness);
      return { error: { code: what.code, message: "no" } };
    case "throw":
    case "reject":
      await sleep(what.afterMs, undefined, witness);
      throw new Error("secret");
    case "garbage":
      return garbage[what.which] as Response;
    case "hang":
      return new Promise((_resolve, reject) => {
        const { signal } = context ?? {};
        if (what.obeys) signal?.addEventListener("abort", () => reject(signal.reason as Error));
      });
    case "delegate": {
      await sleep(what.afterMs, undefined, witness);
      const requests = what.to.map((to) => ({ to: `l${to}` }));
      const [first] = requests;
      return {
        ...(what.answer && { answer: "so far" }),
        delegate: requests.length === 1 && first !== undefined ? first : requests,
        ...(what.merge !== undefined && { merge: what.merge }),
      };
    }
    case "ask": {
      const asked = context?.ask?.("a part", { to: `l${what.to}` });
      if (!what.waits) return { answer: "did not wait" };
      const response = await asked;
      return { answer: response?.answer ?? "nothing", confidence: response?.confidence ?? 0.5 };
    }
    case "model": {
      const done = await context?.ai?.complete({ prompt: "x", maxTokens: what.tokens });
      return { answer: done?.text ?? "none" };
    }
  }
}

function sleep(ms: number, signal: AbortSignal | undefined, witness: Witness): Promise<void> {
  witness.timers++;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      witness.timers--;
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      witness.timers--;
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

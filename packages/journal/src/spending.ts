import type { AIClient, AICompletion, AIRequest, AIUsage, Budget } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { type AnyRequest, isRecord, withCalls } from "@constellation/core/checks";
import type { JournalStore } from "./store.js";
import type { Writer } from "./writer.js";

/** Maximum that several runs together may spend on models. Days are those of UTC. */
export interface SharedBudgets {
  /** Of one user in a day. Runs without a user have it together. */
  readonly userPerDay?: Budget | undefined;
  /** Of one thread, for as long as it is kept. */
  readonly thread?: Budget | undefined;
  /** Of all runs in a day. */
  readonly day?: Budget | undefined;
}

/** The run that a model is called for. */
export interface Spender {
  readonly user: string | undefined;
  /** Id of its thread. */
  readonly thread: string | undefined;
}

/** An amount that was spent, or is reserved. */
interface Amounts {
  readonly tokens: number;
  readonly costUsd: number;
}

/** The scope of one budget, and where its figures are stored. */
interface Scope {
  readonly collection: string;
  /** For people. */
  readonly name: string;
  readonly user: string | undefined;
  readonly budget: Budget;
}

interface Account {
  /** Of this process: used and written down. */
  used: Amounts;
  /** Of its calls under way. */
  reserved: Amounts;
  /** Of other processes, when they were last read. */
  others: Amounts;
  readAt: number;
  reading: Promise<void> | undefined;
}

const nothing: Amounts = { tokens: 0, costUsd: 0 };

/** Time after which what other processes have spent is read again, in milliseconds. */
const refreshMs = 5_000;
/** Maximum number of accounts in memory; the oldest without a call under way go first. */
const maxAccounts = 10_000;
/** Maximum number of processes that one budget is read of. */
const maxProcesses = 10_000;
/** Tokens reserved for a reply where neither the call nor its client limits it. */
const defaultMaxTokens = 4_096;

/** Collection of the figures of a thread. */
export function threadSpending(id: string): string {
  return `spending/thread/${id}`;
}

/**
 * Spending on models over all runs, in one document for each process. Exact within a process; figures of other
 * processes are up to 5 s old.
 */
export class Spending {
  readonly #store: JournalStore;
  readonly #opened: () => Promise<unknown>;
  readonly #writer: Writer;
  readonly #owner: string;
  readonly #budgets: SharedBudgets;
  readonly #accounts = new Map<string, Account>();

  /**
   * @param opened - Resolves once the store is open.
   * @param owner - Names the process.
   */
  constructor(
    store: JournalStore,
    opened: () => Promise<unknown>,
    writer: Writer,
    owner: string,
    budgets: SharedBudgets = {},
  ) {
    this.#store = store;
    this.#opened = opened;
    this.#writer = writer;
    this.#owner = owner;
    this.#budgets = budgets;
  }

  /** Wraps a client, which then calls the model only within the budgets that apply to the run. */
  within(client: AIClient, spender: Spender): AIClient {
    if (Object.values(this.#budgets).every((budget) => budget === undefined)) return client;
    const call = async <Request extends AnyRequest, Result extends AICompletion>(
      request: Request,
      make: (request: Request, left: Amounts) => Promise<Result>,
    ): Promise<Result> => {
      const price = client.findPrice?.(request.model);
      const reads = Math.ceil(countBytes(request) / 3);
      const asked = request.maxTokens ?? client.maxTokens ?? defaultMaxTokens;
      const scopes = this.#scopesOf(spender);
      for (const scope of scopes) await this.#refresh(scope);
      // Nothing is awaited from here to the reservation, so that concurrent calls cannot reserve the same remainder.
      const remaining = scopes.map((scope) => this.#remainingOf(scope));
      const left = {
        tokens: Math.min(...remaining.map(({ tokens }) => tokens)),
        costUsd: Math.min(...remaining.map(({ costUsd }) => costUsd)),
      };
      const { inputUsd = 0, outputUsd = 0 } = price ?? {};
      const affordable =
        outputUsd > 0 ? (left.costUsd - reads * inputUsd) / outputUsd : Number.POSITIVE_INFINITY;
      const writes = Math.floor(Math.min(asked, left.tokens - reads, affordable));
      if (!(writes >= 1) || left.costUsd <= 0) {
        throw budgetExceeded(
          scopes.find((_scope, index) => isSpent(remaining[index], reads, price)) ?? scopes[0],
        );
      }
      const reserved = {
        tokens: reads + writes,
        costUsd: reads * inputUsd + writes * outputUsd,
      };
      for (const scope of scopes) this.#reserve(scope, reserved, 1);
      let usage: AIUsage | undefined;
      try {
        const result = await make({ ...request, maxTokens: writes }, left);
        usage = result.usage;
        return result;
      } catch (thrown) {
        const reported = MeshError.copyOf(thrown)?.details?.usage;
        if (isRecord(reported)) usage = reported as unknown as AIUsage; // the client has checked it
        throw thrown;
      } finally {
        for (const scope of scopes) {
          this.#reserve(scope, reserved, -1);
          if (usage !== undefined) this.#spend(scope, usage);
        }
      }
    };
    return withCalls(client, (method, request, make) =>
      call(request, (each, { tokens, costUsd }) => {
        if (method !== "runTools") return make(each);
        const price = client.findPrice?.(request.model)?.outputUsd ?? 0;
        const affordable = price > 0 ? costUsd / price : Number.POSITIVE_INFINITY;
        const { maxTotalTokens = Number.POSITIVE_INFINITY } = each;
        const total = Math.floor(Math.min(maxTotalTokens, tokens, affordable));
        return make({ ...each, maxTotalTokens: total });
      }),
    );
  }

  #scopesOf({ user, thread }: Spender): readonly Scope[] {
    const { userPerDay, thread: ofThread, day } = this.#budgets;
    const today = new Date().toISOString().slice(0, 10);
    const of = (budget: Budget | undefined, scope: Omit<Scope, "budget">): readonly Scope[] =>
      budget === undefined ? [] : [{ ...scope, budget }];
    return [
      ...of(userPerDay, {
        ...{ collection: `spending/${today}/user/${user ?? ""}`, user },
        name: "the user's budget of the day",
      }),
      ...(thread === undefined
        ? []
        : of(ofThread, {
            ...{ collection: threadSpending(thread), user },
            name: "the budget of the thread",
          })),
      ...of(day, {
        ...{ collection: `spending/${today}/all`, user: undefined },
        name: "the budget of the day",
      }),
    ];
  }

  #accountOf({ collection }: Scope): Account {
    const known = this.#accounts.get(collection);
    if (known !== undefined) return known;
    const account: Account = {
      ...{ used: nothing, reserved: nothing, others: nothing },
      ...{ readAt: 0, reading: undefined },
    };
    this.#accounts.set(collection, account);
    for (const [key, { reserved }] of this.#accounts) {
      if (this.#accounts.size <= maxAccounts) break;
      if (reserved.tokens === 0 && key !== collection) this.#accounts.delete(key);
    }
    return account;
  }

  /** @throws MeshError where what was spent cannot be read: no call is made within a budget that is not known. */
  async #refresh(scope: Scope): Promise<void> {
    const account = this.#accountOf(scope);
    if (Date.now() - account.readAt < refreshMs) return;
    account.reading ??= this.#read(scope, account).finally(() => {
      account.reading = undefined;
    });
    await account.reading;
  }

  async #read({ collection }: Scope, account: Account): Promise<void> {
    try {
      await this.#opened();
      const documents = await this.#store.listDocuments({ collection, limit: maxProcesses });
      account.others = documents
        .filter(({ id }) => id !== this.#owner)
        .map(({ body }) => JSON.parse(body) as Amounts) // written below
        .reduce(addAmounts, nothing);
      if (account.readAt === 0) {
        // Figures that this process had written before its account was dropped from memory.
        const own = documents.find(({ id }) => id === this.#owner);
        if (own !== undefined)
          account.used = addAmounts(account.used, JSON.parse(own.body) as Amounts);
      }
      account.readAt = Date.now();
    } catch (cause) {
      throw new MeshError("AI_UNAVAILABLE", "What was spent on models cannot be read.", {
        reason: "journal-failed",
        suggestion:
          "Check the log of the server: the disk may be full, or the database unavailable.",
        cause,
      });
    }
  }

  #remainingOf(scope: Scope): Amounts {
    const { used, reserved, others } = this.#accountOf(scope);
    const { tokens = Number.POSITIVE_INFINITY, costUsd = Number.POSITIVE_INFINITY } = scope.budget;
    const taken = addAmounts(addAmounts(used, reserved), others);
    return { tokens: tokens - taken.tokens, costUsd: costUsd - taken.costUsd };
  }

  #reserve(scope: Scope, { tokens, costUsd }: Amounts, sign: 1 | -1): void {
    const account = this.#accountOf(scope);
    account.reserved = addAmounts(account.reserved, {
      tokens: sign * tokens,
      costUsd: sign * costUsd,
    });
  }

  #spend(scope: Scope, { inputTokens, outputTokens, costUsd = 0 }: AIUsage): void {
    const account = this.#accountOf(scope);
    account.used = addAmounts(account.used, { tokens: inputTokens + outputTokens, costUsd });
    const { collection, user } = scope;
    const body = JSON.stringify(account.used);
    const document = { collection, id: this.#owner, user, at: Date.now(), body };
    this.#writer.add({ type: "put-document", ...document });
  }
}

function addAmounts(one: Amounts, other: Amounts): Amounts {
  return { tokens: one.tokens + other.tokens, costUsd: one.costUsd + other.costUsd };
}

function isSpent(
  rest: Amounts | undefined,
  reads: number,
  price: ReturnType<NonNullable<AIClient["findPrice"]>>,
): boolean {
  if (rest === undefined) return false;
  const { inputUsd = 0, outputUsd = 0 } = price ?? {};
  return (
    rest.costUsd <= 0 || rest.tokens < reads + 1 || rest.costUsd < reads * inputUsd + outputUsd
  );
}

function budgetExceeded(scope: Scope | undefined): MeshError {
  return new MeshError("AI_UNAVAILABLE", `For models ${scope?.name ?? "a budget"} is spent.`, {
    reason: "budget-exceeded",
    suggestion: "Ask again tomorrow or in another thread, or let the operator raise the budget.",
  });
}

/** Bytes of what a model reads. */
function countBytes({ system = "", prompt }: AIRequest): number {
  const texts = typeof prompt === "string" ? [prompt] : prompt.map(({ text }) => text);
  return [system, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

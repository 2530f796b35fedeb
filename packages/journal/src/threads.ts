import type { Response, RunThread, ThreadTurn, User } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { checkOptions, type FieldsOption, type OptionTable } from "@constellation/core/checks";
import { createWriteBody, type WriteBody } from "./redact-body.js";
import { threadSpending } from "./spending.js";
import {
  type DocumentFilter,
  eachDocument,
  type JournalStore,
  type JournalWrite,
  type StoredDocument,
} from "./store.js";

/** Options of the threads of a journal. */
export interface ThreadOptions {
  /**
   * Maximum number of turns that `context.thread` has. Integer, 1 or more.
   *
   * @default 8
   */
  readonly maxTurns?: number | undefined;
  /**
   * Maximum size of the questions and answers that `context.thread` has, in characters: the oldest are left out
   * first. Integer, 1 or more.
   *
   * @default 8_000
   */
  readonly maxCharacters?: number | undefined;
  /**
   * Completes a follow-up question from the earlier turns, for every librarian: `completeFollowUp` of
   * `@constellation/nlu`. Without it librarians get the question as the user wrote it.
   */
  readonly completeFollowUp?: CompleteFollowUp | undefined;
}

/** Options of {@link createThreads}. */
export interface ThreadStoreOptions extends ThreadOptions {
  /** Where they are kept. Opened with the first thread; its creator closes it. */
  readonly store: JournalStore;
  /**
   * Removes secrets from what is kept, which is JSON and must stay JSON.
   *
   * @default redactJson of `@constellation/authoring`
   */
  readonly redact?: ((text: string) => string) | undefined;
}

/**
 * Completes a question from the earlier turns.
 *
 * @param turns - Oldest first; with the librarian that answered, where it was one.
 * @returns The question with everything that it needs to be understood alone.
 */
export type CompleteFollowUp = (
  query: string,
  turns: readonly { readonly question: string; readonly librarian?: string | undefined }[],
) => { readonly whole: string } | Promise<{ readonly whole: string }>;

/** A thread in a list. */
export interface ThreadSummary {
  readonly id: string;
  /** Its first question, until it is renamed. */
  readonly title: string;
  /** Id of the user who began it; `undefined`: none. */
  readonly user: string | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Time of its last question, in epoch milliseconds. */
  readonly updatedAt: number;
}

/** A stored turn. */
export interface StoredTurn extends ThreadTurn {
  /** Code of the error; absent for an answer, and while it runs. */
  readonly code?: string | undefined;
}

/** A thread with its turns. */
export interface StoredThread extends ThreadSummary {
  /** Oldest first. */
  readonly turns: readonly StoredTurn[];
}

/** The reader of a thread: its own user, or an operator, who may read and change all threads. */
export type ThreadAccess = User | undefined | "operator";

/** The threads of a journal. A thread belongs to its user: for other users it does not exist. */
export interface Threads {
  /** Newest first. @param filter - `before`: those last asked in before this moment. `limit`: 100 where not given. */
  list(
    access: ThreadAccess,
    filter?: Partial<Pick<DocumentFilter, "before" | "limit">>,
  ): Promise<readonly ThreadSummary[]>;
  /** @throws MeshError `NOT_FOUND`. */
  read(id: string, access: ThreadAccess): Promise<StoredThread>;
  /** @throws MeshError `NOT_FOUND`. */
  rename(id: string, title: string, access: ThreadAccess): Promise<ThreadSummary>;
  /** Deletes a thread, its turns and their runs. @throws MeshError `NOT_FOUND`. */
  delete(id: string, access: ThreadAccess): Promise<void>;
}

/** Threads, as a journal keeps them while runs are asked in them. */
export interface RunThreads extends Threads {
  /**
   * Adds a question to a thread, which begins with the first one.
   *
   * @throws MeshError `NOT_FOUND` for a thread of another user.
   */
  begin(id: string, question: ThreadQuestion): Promise<RunThread>;
  /**
   * Adds the outcome of a question; a later one replaces it. A thread that was deleted meanwhile stays so.
   *
   * @param librarians - Ids of those that answered, in the order they did.
   */
  end(id: string, runId: string, response: Response, librarians: readonly string[]): Promise<void>;
}

/** A question, as a run begins with it. */
export interface ThreadQuestion {
  readonly runId: string;
  readonly query: string;
  readonly user: string | undefined;
}

/** Defaults of {@link ThreadOptions}. */
const defaults = { maxTurns: 8, maxCharacters: 8_000 } as const;

/** The table of {@link ThreadOptions}. */
export const threadFields = {
  maxTurns: { kind: "count", default: defaults.maxTurns },
  maxCharacters: { kind: "count", default: defaults.maxCharacters },
  completeFollowUp: { kind: "function" },
} as const satisfies OptionTable<ThreadOptions>;

/** The table of {@link ThreadStoreOptions}, as an option of something else. */
export const threadStoreOption = {
  kind: "fields",
  fields: {
    store: {
      kind: "object",
      methods: ["open", "write", "readDocument", "listDocuments", "delete", "close"],
      isRequired: true,
    },
    ...threadFields,
    redact: { kind: "function" },
  },
} as const satisfies FieldsOption<OptionTable<ThreadStoreOptions>>;

/**
 * Creates threads for runs that are kept elsewhere: an engine for runs has no lists by user and time, a store has.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createThreads(options: ThreadStoreOptions): RunThreads {
  const { store, redact, ...rest } = checkOptions<ThreadStoreOptions>(
    "threads",
    options,
    threadStoreOption.fields,
    "threads.",
  );
  let opening: Promise<unknown> | undefined;
  const opened = () => {
    opening ??= store.open().catch((thrown: unknown) => {
      opening = undefined; // the next one tries again
      throw thrown;
    });
    return opening;
  };
  return new StoredThreads(store, opened, createWriteBody(redact), rest);
}

const collection = "threads";
/** Collections that have documents of a run by its id. */
const runCollections = ["runs", "run-lines"] as const;
/** Maximum length of a title, in characters. */
const maxTitle = 200;
/** Maximum length of a title made of a question, in characters. */
const maxFirstTitle = 80;
/** Longest answer that is kept of a turn, in characters: the whole one is in its run. */
const maxKeptAnswer = 50_000;
/** Number of documents that are read or deleted at a time. */
const pageSize = 500;
/** Maximum number of librarians that are kept of a turn. */
const maxAnswering = 16;

interface ThreadBody {
  readonly title: string;
  readonly createdAt: number;
}

/** Threads in a store: a document each, and one for each turn. */
export class StoredThreads implements RunThreads {
  readonly #store: JournalStore;
  readonly #opened: () => Promise<unknown>;
  readonly #write: WriteBody;
  readonly #options: ThreadOptions;
  /** The last change of each thread that is under way, in this process. */
  readonly #changes = new Map<string, Promise<unknown>>();

  /** @param opened - Resolves once the store is open. */
  constructor(
    store: JournalStore,
    opened: () => Promise<unknown>,
    write: WriteBody,
    options: ThreadOptions = {},
  ) {
    this.#store = store;
    this.#opened = opened;
    this.#write = write;
    this.#options = options;
  }

  begin(id: string, question: ThreadQuestion): Promise<RunThread> {
    return this.#exclusive(id, async () => {
      const at = Date.now();
      const found = await this.#open(id, question, at);
      const turns = (await this.#newestTurns(id, this.#maxTurns)).reverse();
      const asked = await this.#complete(question.query, turns);
      const turn: StoredTurn = {
        runId: question.runId,
        query: question.query,
        ...(asked !== undefined && { asked }),
        ...{ librarians: [], at },
      };
      await this.#store.write([
        this.#threadWrite({ ...found, at }, readThread(found)),
        this.#turnWrite(id, found.user, turn),
      ]);
      return { id, turns: this.#fitting(turns), ...(asked !== undefined && { asked }) };
    });
  }

  async end(id: string, runId: string, response: Response, librarians: readonly string[]) {
    const stored = await this.#store.readDocument(turnCollection(id), runId);
    if (stored === undefined) return; // of a fork, or deleted
    const { answer, error } = response;
    const turn: StoredTurn = {
      ...readTurn(stored),
      librarians: librarians.slice(0, maxAnswering),
      ...(answer !== undefined && { answer: answer.slice(0, maxKeptAnswer) }),
      ...(answer === undefined && error !== undefined && { code: error.code }),
    };
    await this.#store.write([this.#turnWrite(id, stored.user, turn)]);
  }

  async list(
    access: ThreadAccess,
    { before, limit = 100 }: Partial<Pick<DocumentFilter, "before" | "limit">> = {},
  ): Promise<readonly ThreadSummary[]> {
    await this.#opened();
    const user = access === "operator" ? undefined : access?.id;
    const found: ThreadSummary[] = [];
    for await (const document of eachDocument(this.#store, {
      collection,
      user,
      before,
      limit: pageSize,
    })) {
      if (found.length === limit) break;
      if (mayOpen(document, access)) found.push(summarizeThread(document));
    }
    return found;
  }

  async read(id: string, access: ThreadAccess): Promise<StoredThread> {
    const thread = await this.#find(id, access);
    const turns: StoredTurn[] = [];
    const filter = { collection: turnCollection(id), limit: pageSize };
    for await (const each of eachDocument(this.#store, filter)) turns.push(readTurn(each));
    return { ...summarizeThread(thread), turns: turns.reverse() };
  }

  rename(id: string, title: string, access: ThreadAccess): Promise<ThreadSummary> {
    return this.#exclusive(id, async () => {
      const thread = await this.#find(id, access);
      const body = { ...readThread(thread), title: oneLine(title, maxTitle) };
      await this.#store.write([this.#threadWrite(thread, body)]);
      return { ...summarizeThread(thread), title: body.title };
    });
  }

  delete(id: string, access: ThreadAccess): Promise<void> {
    return this.#exclusive(id, async () => {
      await this.#find(id, access);
      for (const { runId } of (await this.read(id, access)).turns) {
        await this.#store.delete({ runId, limit: 1 });
        for (const each of runCollections) {
          await this.#store.delete({ collection: each, documentId: runId, limit: 1 });
        }
      }
      const own = { collection: turnCollection(id), limit: pageSize };
      while ((await this.#store.delete(own)) === pageSize);
      await this.#store.delete({ collection: threadSpending(id), limit: pageSize });
      await this.#store.delete({ collection, documentId: id, limit: 1 });
    });
  }

  /** One change of a thread after the other, in this process. */
  #exclusive<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#changes.get(id) ?? this.#opened();
    const done = before.then(work);
    const settled = done
      .catch(() => undefined)
      .finally(() => {
        if (this.#changes.get(id) === settled) this.#changes.delete(id);
      });
    this.#changes.set(id, settled);
    return done;
  }

  get #maxTurns(): number {
    return this.#options.maxTurns ?? defaults.maxTurns;
  }

  /** The document of a thread, made where there is none. */
  async #open(id: string, { query, user }: ThreadQuestion, at: number): Promise<StoredDocument> {
    const body = this.#write({ title: oneLine(query, maxFirstTitle), createdAt: at });
    const made: StoredDocument = { collection, id, user, at, body };
    const [outcome] = await this.#store.write([{ type: "create-document", ...made }]);
    return outcome === "applied" ? made : this.#find(id, user === undefined ? user : { id: user });
  }

  async #find(id: string, access: ThreadAccess): Promise<StoredDocument> {
    await this.#opened();
    const found = await this.#store.readDocument(collection, id);
    if (found !== undefined && mayOpen(found, access)) return found;
    throw new MeshError("NOT_FOUND", "The thread was not found.", {
      suggestion: "A thread is open to the user who began it. List them, or begin another one.",
    });
  }

  async #newestTurns(id: string, limit: number): Promise<StoredTurn[]> {
    const found = await this.#store.listDocuments({ collection: turnCollection(id), limit });
    return found.map(readTurn);
  }

  async #complete(query: string, turns: readonly StoredTurn[]): Promise<string | undefined> {
    const { completeFollowUp } = this.#options;
    if (completeFollowUp === undefined || turns.length === 0) return undefined;
    const asked = turns.map(({ query: question, asked: whole = question, librarians }) => ({
      question: whole,
      ...(librarians.length === 1 && { librarian: librarians[0] }),
    }));
    const { whole } = await completeFollowUp(query, asked);
    return whole === query ? undefined : whole;
  }

  /** The newest turns that fit into the budget; the answer of the next older turn is cut to what is left. */
  #fitting(turns: readonly StoredTurn[]): readonly ThreadTurn[] {
    let left = this.#options.maxCharacters ?? defaults.maxCharacters;
    const kept: ThreadTurn[] = [];
    for (const { code: _, ...turn } of turns.toReversed()) {
      left -= turn.query.length + (turn.asked?.length ?? 0);
      if (left < 0) break;
      const { answer = "" } = turn;
      kept.push(answer.length <= left ? turn : { ...turn, answer: answer.slice(0, left) });
      left -= answer.length;
      if (left <= 0) break;
    }
    return kept.reverse();
  }

  #threadWrite({ id, user, at }: StoredDocument, body: ThreadBody): JournalWrite {
    return { type: "put-document", collection, id, user, at, body: this.#write(body) };
  }

  #turnWrite(id: string, user: string | undefined, turn: StoredTurn): JournalWrite {
    const { runId, at } = turn;
    const body = this.#write(turn, ["runId", "librarians"]);
    return { type: "put-document", collection: turnCollection(id), id: runId, user, at, body };
  }
}

function turnCollection(id: string): string {
  return `${collection}/${id}`;
}

function mayOpen({ user }: StoredDocument, access: ThreadAccess): boolean {
  return access === "operator" || user === access?.id;
}

function summarizeThread(document: StoredDocument): ThreadSummary {
  const { id, user, at } = document;
  return { id, user, updatedAt: at, ...readThread(document) };
}

function readThread({ body }: StoredDocument): ThreadBody {
  return JSON.parse(body) as ThreadBody; // written by this class
}

function readTurn({ body }: StoredDocument): StoredTurn {
  return JSON.parse(body) as StoredTurn; // written by this class
}

function oneLine(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}

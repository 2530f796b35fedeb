import { CallTable } from "./call-table.js";
import type { Pings } from "./pings.js";
import type { SentCall } from "./sent-call.js";
import type { TransportSettings } from "./settings.js";
import type { Address } from "./subjects.js";

/** Maximum time between two questions about a call, in milliseconds. */
const maxCheckMs = 10_000;

/** A process with calls of this one. */
interface Worker {
  readonly address: Address;
  readonly calls: CallTable<SentCall>;
  /** When something came from it, in milliseconds of `performance.now()`. */
  heardAt: number;
  /** Pings, one after the other, to which the message system said that no process is there. */
  gone: number;
  isSilent: boolean;
}

/** What {@link Workers} needs from the calls of this process. */
export interface WorkerPort {
  addressOf(node: string): Address | undefined;
  /** A process was not found. */
  report(node: string): void;
  /** Asks a process about calls. */
  checkCalls(worker: Address, librarian: string, ids: readonly string[]): void;
}

/** The processes that work on calls of this one. A process that stops answering loses its calls. */
export class Workers {
  readonly #settings: TransportSettings;
  readonly #pings: Pings;
  readonly #port: WorkerPort;
  readonly #byNode = new Map<string, Worker>();
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  constructor(settings: TransportSettings, pings: Pings, port: WorkerPort) {
    this.#settings = settings;
    this.#pings = pings;
    this.#port = port;
  }

  /** Calls that a process works on; one that does not answer at present counts as having a million more. */
  load(node: string): number {
    const worker = this.#byNode.get(node);
    return (worker?.calls.size ?? 0) + (worker?.isSilent === true ? 1e6 : 0);
  }

  /** The calls that a process works on, for one more. `undefined`: its address is not known. */
  callsOf(node: string): CallTable<SentCall> | undefined {
    this.#watch();
    const known = this.#byNode.get(node);
    if (known !== undefined) return known.calls;
    const address = this.#port.addressOf(node);
    if (address === undefined) return undefined;
    const calls = new CallTable<SentCall>();
    const heardAt = performance.now();
    this.#byNode.set(node, { address, calls, heardAt, gone: 0, isSilent: false });
    return calls;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    if (this.#timer !== undefined) return;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), this.#settings.heartbeatMs).unref();
  }

  /** Once in each period, while there are calls, checks that their processes are still present. */
  #look(): void {
    const now = performance.now();
    const { heartbeatMs } = this.#settings;
    const stoodStill = now - this.#lookedAt > 2 * heartbeatMs;
    this.#lookedAt = now;
    for (const [node, worker] of this.#byNode) {
      if (worker.calls.size === 0) {
        this.#byNode.delete(node);
        continue;
      }
      // Messages that arrived while this process was suspended have yet to be read.
      if (stoodStill) worker.heardAt = now;
      for (const { heardAt } of worker.calls.values())
        worker.heardAt = Math.max(worker.heardAt, heardAt);
      if (now - worker.heardAt >= heartbeatMs) void this.#ping(worker);
      else {
        worker.isSilent = false;
        worker.gone = 0;
      }
      if (!worker.isSilent) this.#checkCalls(worker, now);
    }
    if (this.#byNode.size === 0) this.close();
  }

  async #ping(worker: Worker): Promise<void> {
    const { heartbeatMs, lostAfterMs } = this.#settings;
    const { kind } = await this.#pings.ping(worker.address, Math.max(heartbeatMs, lostAfterMs / 3));
    const now = performance.now();
    if (kind === "alive") {
      worker.heardAt = now;
      worker.gone = 0;
      worker.isSilent = false;
      return;
    }
    worker.isSilent = true;
    worker.gone = kind === "gone" ? worker.gone + 1 : 0;
    if (worker.gone > 0) this.#port.report(worker.address.node);
    const isLost = now - worker.heardAt >= lostAfterMs;
    const isGone = worker.gone >= 2;
    if (!isLost && !isGone) return;
    for (const call of [...worker.calls.values()]) {
      if (!isLost && call.waitsForReturn) continue;
      worker.calls.delete(call.id, call);
      call.onLost();
    }
  }

  /** Asks about calls that the process has not reported on for some time: a message may have been lost. */
  #checkCalls(worker: Worker, now: number): void {
    const due = new Map<string, string[]>();
    for (const sent of worker.calls.values()) {
      if (now - sent.heardAt < sent.checkAfterMs) continue;
      sent.checkAfterMs = Math.min(now - sent.heardAt + 2 * sent.checkAfterMs, maxCheckMs);
      const ids = due.get(sent.call.librarian) ?? [];
      ids.push(sent.id);
      due.set(sent.call.librarian, ids);
    }
    for (const [librarian, ids] of due) this.#port.checkCalls(worker.address, librarian, ids);
  }
}

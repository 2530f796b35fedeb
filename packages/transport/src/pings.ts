import { randomBytes } from "node:crypto";
import type { Link, LinkMessage, LinkSubscription, RunningResponder } from "./link.js";
import { decodeMessage, encodeMessage } from "./message.js";
import { monotonicNow } from "./monotonic-clock.js";
import { type Address, lastToken, type Subjects } from "./subjects.js";

/** Outcome of a ping. */
export type PingOutcome =
  | { readonly kind: "alive"; readonly digest: string }
  /** No process listens at the address. */
  | { readonly kind: "gone" }
  /** No answer has come in time. */
  | { readonly kind: "silent" };

/** An estimate of the clock of another process. */
interface KnownClock {
  /** Minimum offset to the clock of this process, in milliseconds. */
  readonly aheadMs: number;
  readonly at: number;
}

/** How long an estimate of a clock is valid, in milliseconds: two clocks drift by less than 1 ms in that time. */
const clockTtlMs = 60_000;

/** Maximum number of processes whose clock is remembered. */
const maxClocks = 10_000;

/** Pings other processes, and answers theirs. */
export class Pings {
  readonly #link: Link;
  readonly #subjects: Subjects;
  readonly #own: Address;
  readonly #waiting = new Map<string, (outcome: PingOutcome, clock?: number) => void>();
  /** Pings under way, by process: a further request gets the same one. */
  readonly #underWay = new Map<string, Promise<PingOutcome>>();
  readonly #clocks = new Map<string, KnownClock>();
  #digest = "";
  #pongs: LinkSubscription | undefined;
  #pings: LinkSubscription | undefined;
  #responder: RunningResponder | undefined;

  constructor(link: Link, subjects: Subjects, own: Address) {
    this.#link = link;
    this.#subjects = subjects;
    this.#own = own;
  }

  open(): void {
    const subject = this.#subjects.ping(this.#own);
    const replyPrefix = this.#subjects.pongs;
    this.#pongs = this.#link.subscribe(`${this.#subjects.pongsOf(this.#own)}*`, (message) =>
      this.#receive(message),
    );
    this.#pings = this.#link.subscribe(subject, ({ reply }) => {
      if (reply?.startsWith(replyPrefix) !== true) return; // else a caller could make it publish to any subject
      const header = { t: "pong", clock: monotonicNow(), digest: this.#digest };
      this.#link.publish(reply, encodeMessage(header));
    });
    this.#responder = this.#link.startResponder?.(
      { subject, replyPrefix, digest: this.#digest },
      () => {
        this.#pings?.unsubscribe();
        this.#pings = undefined;
      },
    );
  }

  close(): void {
    this.#responder?.close();
    this.#pings?.unsubscribe();
    this.#pongs?.unsubscribe();
  }

  /** Sets the digest of further answers to pings. */
  setDigest(digest: string): void {
    this.#digest = digest;
    this.#responder?.update(digest);
  }

  /**
   * The moment on the clock of another process that is now at the earliest. `undefined`: not known before a ping.
   */
  clockOf(node: string): number | undefined {
    const known = this.#clocks.get(node);
    const now = monotonicNow();
    return known === undefined || now - known.at > clockTtlMs ? undefined : now + known.aheadMs;
  }

  /** Drops the estimate of the clock of a process, which was wrong. */
  forgetClock(node: string): void {
    this.#clocks.delete(node);
  }

  /** A process has sent its clock. The message may have been delayed, so the latest moment of several counts. */
  learnClock(node: string, clock: number): void {
    const now = monotonicNow();
    const aheadMs = clock - now;
    const known = this.#clocks.get(node);
    const isBetter = known === undefined || now - known.at > clockTtlMs || aheadMs > known.aheadMs;
    if (!isBetter && now - known.at < clockTtlMs / 2) return;
    if (this.#clocks.size >= maxClocks) this.#clocks.clear();
    this.#clocks.set(node, { aheadMs, at: now });
  }

  /** @returns Never rejects. Joins a ping under way. */
  ping(to: Address, timeoutMs: number): Promise<PingOutcome> {
    const known = this.#underWay.get(to.node);
    if (known !== undefined) return known;
    const outcome = this.#ping(to, timeoutMs).finally(() => this.#underWay.delete(to.node));
    this.#underWay.set(to.node, outcome);
    return outcome;
  }

  #ping(to: Address, timeoutMs: number): Promise<PingOutcome> {
    const id = randomBytes(12).toString("base64url");
    return new Promise((resolve) => {
      const end = (outcome: PingOutcome, clock?: number) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        // It was read before now: the clock is ahead by more than this, never by less.
        if (clock !== undefined) this.learnClock(to.node, clock);
        resolve(outcome);
      };
      const timer = setTimeout(() => end({ kind: "silent" }), timeoutMs).unref();
      this.#waiting.set(id, end);
      const reply = `${this.#subjects.pongsOf(this.#own)}${id}`;
      this.#link.publish(this.#subjects.ping(to), encodeMessage({ t: "ping" }), reply);
    });
  }

  #receive({ subject, payload, isUndeliverable }: LinkMessage): void {
    const end = this.#waiting.get(lastToken(subject));
    if (end === undefined) return;
    if (isUndeliverable) {
      end({ kind: "gone" });
      return;
    }
    const { clock, digest } = decodeMessage(payload)?.header ?? {};
    if (typeof clock !== "number" || typeof digest !== "string") return;
    end({ kind: "alive", digest }, clock);
  }
}

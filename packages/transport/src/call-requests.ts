import { cancelledError, MeshError } from "@constellation/core";
import type { Cancellation } from "./cancellation.js";

/** Sends a request, and repeats it until an answer arrives. */
export interface RequestChannel {
  readonly cancellation: Cancellation;
  /** Time after which a request is sent again, in milliseconds. */
  readonly resendMs: number;
  /** Time after which a request without an answer fails, in milliseconds. */
  readonly timeoutMs: number;
  send(number: number, kind: string, body: unknown): void;
}

/** Requests that a process makes to the caller of one call, by number. */
export class CallRequests {
  readonly #channel: RequestChannel;
  readonly #waiting = new Map<number, (answer: RequestAnswer) => void>();
  #count = 0;

  constructor(channel: RequestChannel) {
    this.#channel = channel;
  }

  /** @throws MeshError `SERVICE_UNAVAILABLE` without an answer in time. `TIMEOUT` when the call is cancelled. */
  request(kind: string, body: unknown): Promise<unknown> {
    const { cancellation, resendMs, timeoutMs } = this.#channel;
    const number = ++this.#count;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearInterval(resend);
        clearTimeout(limit);
        this.#waiting.delete(number);
      };
      const send = () => this.#channel.send(number, kind, body);
      const resend = setInterval(send, resendMs);
      const limit = setTimeout(() => {
        end();
        reject(refused(kind, "The calling process did not answer"));
      }, timeoutMs);
      this.#waiting.set(number, ({ isRefused, body: answer }) => {
        end();
        if (isRefused) reject(refused(kind, "The calling process refused"));
        else resolve(answer);
      });
      cancellation.onCancel(() => {
        end();
        reject(cancelledError());
      });
      if (!cancellation.isCancelled) send();
    });
  }

  /** An answer has come. One that is not awaited any more is dropped. */
  answer(number: unknown, answer: RequestAnswer): void {
    if (typeof number === "number") this.#waiting.get(number)?.(answer);
  }
}

/** Answer to a request. */
export interface RequestAnswer {
  readonly isRefused: boolean;
  readonly body: unknown;
}

/** Maximum number of requests of one call whose answers are kept. */
const maxKept = 1_000;

/** Answers the requests of one call, each number once. */
export class RequestAnswers {
  readonly #answer: (kind: string, body: unknown) => unknown;
  readonly #given = new Map<number, Promise<RequestAnswer>>();

  constructor(answer: (kind: string, body: unknown) => unknown) {
    this.#answer = answer;
  }

  /** Never rejects. */
  get(number: number, kind: string, body: unknown): Promise<RequestAnswer> {
    const known = this.#given.get(number);
    if (known !== undefined) return known;
    const given = this.#make(kind, body);
    if (this.#given.size >= maxKept) {
      for (const oldest of this.#given.keys()) {
        this.#given.delete(oldest);
        break;
      }
    }
    this.#given.set(number, given);
    return given;
  }

  async #make(kind: string, body: unknown): Promise<RequestAnswer> {
    try {
      return { isRefused: false, body: await this.#answer(kind, body) };
    } catch {
      return { isRefused: true, body: undefined };
    }
  }
}

function refused(kind: string, what: string): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", `${what} a request for "${kind}".`, {
    reason: "remote-lost",
  });
}

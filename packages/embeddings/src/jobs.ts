/** Texts of one call that wait for their vectors. */
export interface Job {
  /** Tokens of the next text. */
  text(): readonly number[];
  /** Receives its vector. */
  done(vector: Float32Array): void;
  fail(thrown: unknown): void;
}

/** Calls that wait for the model. */
export interface Jobs {
  /**
   * Resolves to one vector per text. Rejects with the signal's reason, or with the error passed to
   * `fail`.
   */
  add(
    texts: readonly (readonly number[])[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>;
  /** The call with the fewest remaining texts; the first of several. */
  next(): Job | undefined;
  failAll(thrown: unknown): void;
}

/** Orders calls so that a query overtakes an index that is being built. */
export function createJobs(): Jobs {
  const waiting = new Set<WaitingJob>();
  return {
    add(texts, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        if (texts.length === 0) {
          resolve([]);
          return;
        }
        const vectors: Float32Array[] = [];
        const leave = () => job.fail(signal?.reason);
        const close = () => {
          waiting.delete(job);
          signal?.removeEventListener("abort", leave);
        };
        const job: WaitingJob = {
          left: () => texts.length - vectors.length,
          text: () => texts[vectors.length] ?? [],
          done(vector) {
            if (!waiting.has(job)) return; // aborted meanwhile
            vectors.push(vector);
            if (vectors.length < texts.length) return;
            close();
            resolve(vectors);
          },
          fail(thrown) {
            close();
            reject(thrown);
          },
        };
        signal?.addEventListener("abort", leave, { once: true });
        waiting.add(job);
      });
    },
    next() {
      let first: WaitingJob | undefined;
      for (const job of waiting) {
        if (first === undefined || job.left() < first.left()) first = job;
      }
      return first;
    },
    failAll(thrown) {
      for (const job of [...waiting]) job.fail(thrown);
    },
  };
}

interface WaitingJob extends Job {
  /** Texts without a vector. */
  left(): number;
}

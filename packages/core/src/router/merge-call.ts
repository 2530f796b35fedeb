import type { Branch, MergeFunction } from "../contract/merge-strategy.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Response } from "../contract/response.js";
import { validateResponse } from "../contract/validate-response.js";
import { now } from "./alarm.js";
import { Call } from "./call.js";
import type { Hop } from "./hop.js";

/** A merge function at work, under the deadline of the hop that delegated. */
export class MergeCall extends Call {
  readonly #hop: Hop;
  readonly #merge: MergeFunction;
  readonly #timeoutMs: number;
  readonly #branches: readonly Branch[];

  /** @param timeoutMs - Most time for it, in milliseconds; what the hop has left, where that is less. */
  constructor(hop: Hop, merge: MergeFunction, branches: readonly Branch[], timeoutMs: number) {
    super(hop.run);
    this.#hop = hop;
    this.#merge = merge;
    this.#timeoutMs = timeoutMs;
    this.#branches = branches;
  }

  protected override start(): unknown {
    // Whoever called it needs a moment after it to go on with what there is.
    const current = now();
    const { endsBy, query, ai } = this.#hop;
    const reserve = Math.min(20, Math.max(0, (endsBy - current) / 10));
    this.endsAt = Math.min(endsBy - reserve, current + this.#timeoutMs);
    this.run.watch(this, current);
    return this.#merge(this.#branches, { query, signal: this.signal, ai });
  }

  protected override accept(returned: unknown): Response {
    const checked = validateResponse(returned);
    if (checked.valid && checked.response.delegate === undefined) return checked.response;
    const problem = checked.valid ? "delegate: a merge cannot delegate" : checked.problem;
    return this.fail(
      new MeshError("INTERNAL_ERROR", "The merge function returned no valid response.", {
        reason: "invalid-response",
        details: { problem },
      }),
    );
  }

  protected override readThrown(thrown: unknown): MeshError {
    const read = MeshError.from(thrown, this.#hop.to);
    if (read.reason !== "threw") return read;
    return new MeshError("INTERNAL_ERROR", "The merge function threw an error.", {
      reason: "threw",
      cause: thrown,
    });
  }

  protected override fail(error: MeshError): Response {
    return { error: this.#hop.errorOf(error) };
  }

  protected override ended(): void {}

  protected override settledLate(): void {}

  override isBelow(hop: Hop): boolean {
    return this.#hop === hop || this.#hop.isBelow(hop);
  }
}

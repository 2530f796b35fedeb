import { createHash } from "node:crypto";
import type { JournaledHop } from "@constellation/core";
import { cacheKey } from "@constellation/core/checks";
import type { WriteBody } from "./redact-body.js";

/** Keys above this length are replaced by a digest, in characters. */
const maxKeyLength = 400;

/**
 * Creates keys from content: each hop under its parent, and each step, model call and wait under its hop. Secrets are
 * removed first, because a run that continues does not have them.
 */
export class ContentKeys {
  readonly #write: WriteBody;
  readonly #hops = new WeakMap<JournaledHop, string>();
  readonly #counts = new Map<string, number>();

  constructor(write: WriteBody) {
    this.#write = write;
  }

  /** The key of a hop; counted as another equal sibling when it is first asked for. */
  ofHop(hop: JournaledHop): string {
    const known = this.#hops.get(hop);
    if (known !== undefined) return known;
    const { parent, to, query, metadata } = hop;
    // Query and metadata that equal the parent's are covered by its key, so that secrets removed from the query of a
    // run do not change the keys.
    const isSame = parent === undefined || (query === parent.query && metadata === parent.metadata);
    const content = isSame ? to : `${to}?${this.#digest([query, metadata])}`;
    const key = this.#counted(parent === undefined ? content : `${this.ofHop(parent)}/${content}`);
    this.#hops.set(hop, key);
    return key;
  }

  /** @param content - What distinguishes it from others of its kind. */
  below(hop: JournaledHop, kind: string, content: unknown): string {
    return this.#counted(`${this.ofHop(hop)} ${kind} ${this.#digest(content)}`);
  }

  #digest(content: unknown): string {
    if (typeof content !== "object" || content === null) return digest(content);
    // Plain data only; any other value gets a unique key.
    return digest(cacheKey(content) === undefined ? content : JSON.parse(this.#write(content)));
  }

  #counted(content: string): string {
    const key =
      content.length <= maxKeyLength ? content : `${content.slice(0, 40)}…${digest(content)}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1 ? key : `${key}#${count}`;
  }
}

/** 64 bits of a digest: enough to distinguish the parts of one run. */
function digest(content: unknown): string {
  const text = typeof content === "string" ? content : (cacheKey(content) ?? "not plain data");
  return createHash("sha256").update(text).digest("base64url").slice(0, 11);
}

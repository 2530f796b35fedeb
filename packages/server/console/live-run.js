/** @typedef {import("@constellation/core").RunRecord} RunRecord */
/** @typedef {import("@constellation/core").HopRecord} HopRecord */
/** @typedef {import("@constellation/core").ErrorInfo} ErrorInfo */
/** @typedef {import("./server.js").StreamEvent} StreamEvent */
/**
 * @template Type
 * @typedef {{ -readonly [Key in keyof Type]: Type[Key] }} Mutable
 */
/** @typedef {Mutable<HopRecord> & { progress?: string }} LiveHop */

import { addCall } from "./usage.js";

/** Maximum length of an answer shown while it is written, in characters; the response has all of it. */
const maxTextLength = 50_000;

/**
 * The record of a run while it runs, from the events of its stream: what `/runs/:id` will say.
 */
export class LiveRun {
  /** @type {Mutable<RunRecord>} */
  record = {
    runId: "",
    query: "",
    to: "",
    startedAt: Date.now(),
    durationMs: 0,
    unsettled: 0,
    hops: [],
  };
  /** @type {Map<number, LiveHop>} */
  hops = new Map();
  /** What librarians have written of their answers, by hop. @type {Map<number, string>} */
  #texts = new Map();
  /** Whether a librarian withdrew what it had written. */
  hasWithdrawn = false;
  #startedHere = performance.now();

  /** How long it has lasted, by this page's clock while it runs. */
  get elapsedMs() {
    return this.record.stopReason === undefined
      ? performance.now() - this.#startedHere
      : this.record.durationMs;
  }

  /** What has been written of the answer: the words of each librarian together, those that write at once among them. */
  get text() {
    return [...this.#texts.values()].join("\n\n");
  }

  /**
   * @param {StreamEvent} event
   * @returns {LiveHop | undefined} The hop it changed.
   */
  add({ event, data }) {
    if (event === "run:start") {
      const { type: _, at: startedAt, timeoutMs: _timeout, ...rest } = data;
      Object.assign(this.record, { ...rest, startedAt });
      return undefined;
    }
    if (event === "run:end") {
      const { durationMs, stopReason, unsettled, spent } = data;
      Object.assign(this.record, { durationMs, stopReason, unsettled });
      if (spent !== undefined) this.record.spent = spent;
      return undefined;
    }
    if (event === "hop:start" || event === "hop:refused") return this.#begin(event, data);
    const hop = this.hops.get(data?.hopId);
    if (hop !== undefined) this.#change(hop, event, data);
    if (event === "model:end") this.record.usage = addCall(this.record.usage, data.usage);
    return hop;
  }

  /**
   * @param {string} event
   * @param {StreamEvent["data"]} data
   */
  #begin(event, data) {
    const { hopId: id, parentId, to, depth, via, query, reason, at } = data;
    const { attempt = 1, again, error } = data;
    /** @type {LiveHop} */
    const hop = {
      id,
      ...(parentId !== undefined && { parentId }),
      to,
      depth,
      via,
      query,
      ...(reason !== undefined && { reason }),
      startMs: at - this.record.startedAt,
      durationMs: 0,
      attempt,
      ...(again !== undefined && { again }),
      ...(event === "hop:refused" && { outcome: "refused", error: failureOf(error) }),
    };
    this.hops.set(id, hop);
    this.record.hops = [...this.hops.values()];
    return hop;
  }

  /**
   * @param {LiveHop} hop
   * @param {string} event
   * @param {StreamEvent["data"]} data
   */
  #change(hop, event, data) {
    switch (event) {
      case "hop:progress":
        if (typeof data.progress.text === "string") this.#write(hop.id, data.progress);
        else hop.progress = data.progress.message;
        break;
      case "model:start": {
        const { callId, method, model, attempt, at } = data;
        const named = {
          ...(model !== undefined && { model }),
          ...(attempt !== undefined && { attempt }),
        };
        const startMs = at - this.record.startedAt;
        hop.modelCalls = [...(hop.modelCalls ?? []), { id: callId, method, ...named, startMs }];
        hop.progress = model === undefined ? "asking the model" : `asking the model (${model})`;
        break;
      }
      case "model:end": {
        hop.usage = addCall(hop.usage, data.usage);
        hop.modelCalls = hop.modelCalls?.map((call) =>
          call.id === data.callId ? { ...call, ...endOf(data) } : call,
        );
        if (data.error !== undefined)
          hop.progress = `continuing without the model: ${data.error.message}`;
        break;
      }
      case "hop:end": {
        const { durationMs, outcome, confidence, sources, error } = data;
        Object.assign(hop, { durationMs, outcome });
        delete hop.progress;
        if (confidence !== undefined) hop.confidence = confidence;
        if (sources !== undefined) hop.sources = sources;
        if (error !== undefined) hop.error = failureOf(error);
        if (data.blockedMs !== undefined) hop.blockedMs = data.blockedMs;
        break;
      }
      case "hop:abandoned":
        hop.abandoned = true;
        break;
      case "hop:late":
        hop.lateMs = data.lateMs;
        break;
      case "hop:remote":
        hop.remote = data.run;
        if (data.unsettled.length > 0) hop.remoteUnsettled = data.unsettled;
        break;
      case "fanout:start":
        hop.fanOut = { strategy: data.strategy, delegates: data.delegates };
        break;
      case "fanout:end":
        delete hop.progress; // of its merge
        hop.fanOut = {
          strategy: data.strategy,
          delegates: hop.fanOut?.delegates ?? data.used,
          used: data.used,
          missing: data.missing,
          endMs: data.at - this.record.startedAt,
        };
        break;
    }
  }

  /**
   * @param {number} id
   * @param {{ text: string, replaces?: true }} piece
   */
  #write(id, { text, replaces }) {
    const { fanOut, outcome } = this.hops.get(id) ?? {};
    // The merge of a fan-out writes: what its branches wrote is in its text.
    if (fanOut !== undefined && outcome !== undefined) this.#dropTextsBelow(id);
    const written = replaces === true ? "" : (this.#texts.get(id) ?? "");
    if (replaces === true) this.hasWithdrawn = true;
    if (written + text === "") this.#texts.delete(id);
    else if (written.length < maxTextLength) this.#texts.set(id, written + text);
  }

  /** @param {number} id */
  #dropTextsBelow(id) {
    const below = new Set([id]);
    for (const hop of this.hops.values()) {
      if (hop.parentId === undefined || !below.has(hop.parentId)) continue;
      below.add(hop.id);
      this.#texts.delete(hop.id);
    }
  }
}

/** @param {StreamEvent["data"]} data Of `model:end`. */
function endOf({ model, durationMs, usage, stopReason, error }) {
  return {
    ...(model !== undefined && { model }),
    durationMs,
    ...(usage !== undefined && { usage }),
    ...(stopReason !== undefined && { stopReason }),
    ...(error !== undefined && { error: failureOf(error) }),
  };
}

/** @param {ErrorInfo} error */
function failureOf({ code, message, details }) {
  const reason = details?.reason;
  return {
    code,
    message: message.slice(0, 1_000),
    ...(typeof reason === "string" && { reason: reason.slice(0, 100) }),
  };
}

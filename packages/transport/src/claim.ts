import { isRecord } from "@constellation/core/checks";
import { encodeJson, parseJson } from "./message.js";

/**
 * The claimant of a write, and its outcome. The first entry for the key of a call wins: the process that runs it, or
 * its caller, which has given up, so that it never runs.
 */
export type Claim =
  | { readonly state: "given-up" }
  | { readonly state: "running"; readonly node: string }
  | {
      readonly state: "done";
      readonly node: string;
      /** Absent where it is too large. */
      readonly reply?: unknown;
    };

export const claimByCaller: Claim = { state: "given-up" };

/** Maximum size of a reply that is kept with its claim, in bytes. */
export const maxClaimedReply = 65_536;

/** The key of a call. The permissions of the server depend on its tokens. */
export function claimKey(librarian: string, caller: string, id: string): string {
  return `${librarian}.${caller}.${id}`;
}

export function encodeClaim(claim: Claim): Uint8Array {
  return encodeJson(claim);
}

/** @returns `undefined` where it is not a claim. */
export function decodeClaim(bytes: Uint8Array): Claim | undefined {
  const value = parseJson(bytes);
  if (!isRecord(value)) return undefined;
  const { state, node, reply } = value;
  if (state === "given-up") return { state };
  if (typeof node !== "string") return undefined;
  if (state === "running") return { state, node };
  return state === "done" ? { state, node, ...(reply !== undefined && { reply }) } : undefined;
}

/** Whose claim it is: a process, or the caller. Anything else is a claimant of its own. */
export function claimantOf(bytes: Uint8Array): string {
  const claim = decodeClaim(bytes);
  if (claim === undefined) return Buffer.from(bytes).toString("base64");
  return claim.state === "given-up" ? "caller" : `process ${claim.node}`;
}

/** Whether a claim has an outcome. */
export function isOutcome(bytes: Uint8Array): boolean {
  return decodeClaim(bytes)?.state === "done";
}

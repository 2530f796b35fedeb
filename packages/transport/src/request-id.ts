import { createHash } from "node:crypto";

/** The id of the call of a librarian that is made with an idempotency key. */
export function requestIdFor(key: string, librarian: string): string {
  const parts = JSON.stringify([key, librarian]);
  return createHash("sha256").update(parts).digest("base64url").slice(0, 32);
}

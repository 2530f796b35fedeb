import { validateResponse } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { claimKey, decodeClaim } from "./claim.js";
import type { LinkClaims } from "./link.js";
import { requestIdFor } from "./request-id.js";
import type { CallOutcome } from "./transport.js";

/**
 * Reads the outcome of a write.
 *
 * @param caller - Name of the process that has called.
 * @param call - Id of the call, or the idempotency key it was made with.
 * @throws MeshError `SERVICE_UNAVAILABLE` where that cannot be read.
 */
export async function readOutcome(
  claims: LinkClaims,
  librarian: string,
  caller: string,
  call: string,
): Promise<CallOutcome> {
  const ids = [call, requestIdFor(call, librarian)];
  for (const id of ids) {
    if (!/^[\w-]{16,64}$/.test(id)) continue;
    const found = await claims.read(claimKey(librarian, caller, id));
    const claim = found === undefined ? undefined : decodeClaim(found);
    if (claim === undefined) continue;
    if (claim.state === "given-up") return { state: "not-done" };
    if (claim.state === "running") return { state: "running" };
    const { response } = isRecord(claim.reply) ? claim.reply : {};
    const checked = validateResponse(response);
    return { state: "done", ...(checked.valid && { response: checked.response }) };
  }
  return { state: "unknown" };
}

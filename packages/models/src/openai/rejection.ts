import { meshErrorIn } from "../model/failure.js";

/** Statuses of servers that do not know a field, or a value of it. */
const rejections: ReadonlySet<unknown> = new Set([400, 415, 422, 501]);

/** Whether a server rejected the request, so that nothing was charged. */
export function isRejection(thrown: unknown): boolean {
  return rejections.has(meshErrorIn(thrown)?.details?.status);
}

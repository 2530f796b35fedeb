import { meshErrorIn } from "./failure.js";

/** Statuses of servers that do not support a field or its value. */
const rejections: ReadonlySet<unknown> = new Set([400, 415, 422, 501]);

/** Whether a server rejected the request, so that nothing was charged. */
export function isRejection(thrown: unknown): boolean {
  return rejections.has(meshErrorIn(thrown)?.details?.status);
}

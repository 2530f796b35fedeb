import type { DelegateRequest, ErrorCode, Response } from "@constellation/core";

/** A check by hand: the fields a delegation needs, and nothing else. */
export function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  const { answer, delegate, error } = value as Response;
  if (delegate !== undefined) {
    return Array.isArray(delegate) ? delegate.every(isDelegate) : isDelegate(delegate);
  }
  return typeof answer === "string" || typeof error === "object";
}

function isDelegate(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { to, query } = value as { to?: unknown; query?: unknown };
  return typeof to === "string" && (query === undefined || typeof query === "string");
}

export function failed(code: ErrorCode, librarian: string): Response {
  return { error: { code, message: "The hop failed.", librarian } };
}

/** Whether there is one delegate, not a list. */
export function isOne(
  delegate: DelegateRequest | readonly DelegateRequest[],
): delegate is DelegateRequest {
  return !Array.isArray(delegate);
}

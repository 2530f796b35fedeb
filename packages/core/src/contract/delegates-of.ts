import type { DelegateRequest, Response } from "./response.js";

/** Delegates to follow: none beside an error, where there is none, and for an empty array. */
export function delegatesOf({ delegate, error }: Response): readonly DelegateRequest[] {
  if (delegate === undefined || error !== undefined) return none;
  return isArray(delegate) ? delegate : [delegate];
}

const none: readonly DelegateRequest[] = [];

/** `Array.isArray`, for a union with a readonly array, which it does not narrow. */
function isArray<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

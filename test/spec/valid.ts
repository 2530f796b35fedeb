import { responseSchema } from "@constellation/authoring/schemas";
import { validateResponse } from "@constellation/core";

/** Whether a value is a response: what the router's check and the schema must agree about. */
export function isValidResponse(value: unknown): boolean {
  const { valid } = validateResponse(value);
  const { success } = responseSchema.safeParse(value);
  if (valid !== success) {
    throw new Error(`validateResponse says ${valid}, and responseSchema says ${success}.`);
  }
  return valid;
}

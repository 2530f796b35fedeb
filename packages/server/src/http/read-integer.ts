import { describeValue } from "@constellation/authoring";
import { wrongField } from "./problem.js";

/**
 * Reads a parameter of a request.
 *
 * @throws Problem 400 that names the parameter.
 */
export function readInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw wrongField(name, `expected an integer from ${min} to ${max}, got ${describeValue(text)}`);
}

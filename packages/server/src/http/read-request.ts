import { describeValue } from "@constellation/authoring";
import type { z } from "zod";
import { wrongField } from "./problem.js";

/** @throws Problem 400 that names the field. */
export function readBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = issue?.path.join(".").slice(0, 100);
  throw wrongField(field || "body", issue?.message ?? "not valid");
}

/** Reads a parameter of a request. @throws Problem 400 that names it. */
export function readInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw wrongField(name, `expected an integer from ${min} to ${max}, got ${describeValue(text)}`);
}

/** Reads a parameter of a request: a number of 0 or more. @throws Problem 400 that names it. */
export function readNumber(name: string, text: string): number {
  if (/^\d{1,12}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  throw wrongField(name, `expected a number of 0 or more, got ${describeValue(text)}`);
}

/** Reads a parameter of a request that must be one of a list of values. @throws Problem 400 that names it. */
export function readChoice<Value extends string>(
  name: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const value = values.find((each) => each === text);
  if (text === undefined || value !== undefined) return value;
  const expected = values.length === 2 ? values.join(" or ") : `one of ${values.join(", ")}`;
  throw wrongField(name, `expected ${expected}, got ${describeValue(text)}`);
}

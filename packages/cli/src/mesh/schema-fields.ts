import { maxTimerMs } from "@constellation/core";
import { z } from "zod";

// Fields of a mesh file that hold plain data. Those with a description show it in editors.

export function text(what: string, description?: string) {
  const error = `expected ${what}`;
  return described(z.string(error).regex(/\S/, error), description);
}

export function count(min: number, description?: string) {
  const error = `expected an integer of ${min} or more`;
  return described(z.int(error).min(min, error), description);
}

export function integer(min: number, max: number, description?: string) {
  const error = `expected an integer, ${min} to ${max}`;
  return described(z.int(error).min(min, error).max(max, error), description);
}

export function duration(description?: string) {
  const error = `expected milliseconds, 1 to ${maxTimerMs}`;
  return described(z.number(error).min(1, error).max(maxTimerMs, error), description);
}

export function dollars() {
  const error = "expected an amount in US dollars, 0 or more";
  return z.number(error).min(0, error);
}

function described<Schema extends z.ZodType>(schema: Schema, description?: string): Schema {
  return description === undefined ? schema : (schema.meta({ description }) as Schema); // the same kind of schema
}

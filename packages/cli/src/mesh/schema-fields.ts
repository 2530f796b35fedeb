import { maxTimerMs } from "@constellation/core";
import { z } from "zod";

export function text(what: string) {
  const error = `expected ${what}`;
  return z.string(error).regex(/\S/, error);
}

export function count(least: number) {
  const error = `expected an integer of ${least} or more`;
  return z.int(error).min(least, error);
}

export function integer(least: number, most: number) {
  const error = `expected an integer, ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
}

export function duration() {
  const error = `expected milliseconds, 1 to ${maxTimerMs}`;
  return z.number(error).min(1, error).max(maxTimerMs, error);
}

function amount(what: string) {
  const error = `expected ${what}, 0 or more`;
  return z.number(error).min(0, error);
}

export function dollars() {
  return amount("an amount in US dollars");
}

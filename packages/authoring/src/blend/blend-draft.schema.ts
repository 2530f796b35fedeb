import { z } from "zod";
import type { Draft } from "./blend-check.js";

const text = z.string().max(4_000);
const ids = z.array(z.string().max(10)).max(64);

/** One statement of a blend, as the model writes it. */
export const claimSchema: z.ZodType<Draft["claims"][number]> = z.object({
  text,
  from: ids,
  sources: ids,
});

/** What a model must write to blend answers. */
export const draftSchema: z.ZodType<Draft> = z.object({
  claims: z.array(claimSchema).max(64),
  contradictions: z.array(z.object({ text, from: ids })).max(16),
});

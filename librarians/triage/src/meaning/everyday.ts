import { readFileSync } from "node:fs";
import { z } from "zod";

const fileSchema = z
  .array(
    z.strictObject({
      subject: z.string().min(1),
      questions: z.array(z.string().min(1)).min(1),
    }),
  )
  .min(1);

/**
 * Subjects of life and of an office that questions have when they are meant for no librarian: for each its
 * name and some questions about it. A query must be nearer to a librarian than to these. From
 * `data/everyday.json`.
 */
export function readEveryday(): readonly (readonly string[])[] {
  const file = new URL("../../data/everyday.json", import.meta.url);
  const subjects = fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return subjects.map(({ subject, questions }) => [subject, ...questions]);
}

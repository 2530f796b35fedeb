import { errorCodeSchema } from "@constellation/authoring/schemas";
import { z } from "zod";

const moment = z.number().describe("Epoch milliseconds.");

const summaryFields = {
  id: z.string(),
  title: z.string().describe("Its first question, until it is renamed."),
  createdAt: moment,
  updatedAt: z.number().describe("Time of its last question, in epoch milliseconds."),
};

/** A thread in a list. */
export const threadSummarySchema = z.object(summaryFields);

/** What `GET /threads` gives. */
export const threadListSchema = z.object({ threads: z.array(threadSummarySchema) });

/** What `GET /threads/:id` gives. */
export const threadSchema = z.object({
  ...summaryFields,
  turns: z
    .array(
      z.object({
        runId: z.string(),
        query: z.string(),
        asked: z.string().optional().describe("The completed question, where it differs."),
        answer: z.string().optional(),
        code: errorCodeSchema.optional().describe("Code of the error, where there is no answer."),
        librarians: z.array(z.string()).describe("Ids of the librarians that answered."),
        at: moment,
      }),
    )
    .describe("Oldest first."),
});

/** What `PATCH /threads/:id` takes. */
export const threadTitleSchema = z.strictObject(
  {
    title: z
      .string("expected text")
      .max(200, "expected at most 200 characters")
      .regex(/\S/, "expected a title that is not blank"),
  },
  "expected an object with title",
);

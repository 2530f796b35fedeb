import { maxTimerMs } from "@constellation/core";
import { z } from "zod";
import { count, integer } from "./schema-fields.js";

/** The mesh file's `mcp`: how `serve` and `mcp` answer MCP clients. */
export const mcpSchema = z
  .strictObject(
    {
      maxAnswerLength: integer(200, 1_000_000).meta({
        description:
          "Maximum length of an answer, in characters. A longer one is cut, with a link to the whole. Default: 20000.",
      }),
      answerTtlMs: integer(1, maxTimerMs).meta({
        description:
          "How long the whole of an answer that was cut can be read, in milliseconds. Default: 600000.",
      }),
      maxStoredBytes: count(0).meta({
        description:
          "Maximum size in memory of all answers that can be read, in bytes. Default: 16777216.",
      }),
    },
    "expected maxAnswerLength, answerTtlMs, maxStoredBytes",
  )
  .partial();

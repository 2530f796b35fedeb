import { z } from "zod";

/*
 * Answers of the HTTP API, https://prometheus.io/docs/prometheus/latest/querying/api/. Fields that are
 * not used are left out; unknown ones are allowed.
 */

const labels = z.record(z.string(), z.string());
/** Seconds with fractions, and the value as text: `[1435781430.781, "1"]`. */
const sample = z.tuple([z.number(), z.string()]);

/** `GET /api/v1/query_range`, below `data`. */
export const queryData = z.object({
  resultType: z.literal("matrix"),
  result: z.array(z.object({ metric: labels, values: z.array(sample).default([]) })),
});

/** `GET /api/v1/labels` and `label/<name>/values`, below `data`. */
export const nameData = z.array(z.string());

/** `GET /api/v1/alerts`, below `data`. */
export const alertData = z.object({
  alerts: z.array(
    z.object({
      state: z.enum(["pending", "firing", "inactive", "unknown"]).catch("unknown"),
      labels,
      annotations: labels.default({}),
      activeAt: z.string().default(""),
      value: z.string().default(""),
    }),
  ),
});

/** `GET /api/v1/targets?state=active`, below `data`. */
export const targetData = z.object({
  activeTargets: z.array(
    z.object({
      labels,
      health: z.enum(["up", "down", "unknown"]).catch("unknown"),
      lastError: z.string().default(""),
    }),
  ),
});

/** `GET /api/v1/rules?type=alert`, below `data`. */
export const ruleData = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          name: z.string(),
          query: z.string(),
          type: z.string(),
          lastError: z.string().default(""),
        }),
      ),
    }),
  ),
});

/** Every answer: `data` of a success, `error` of a failure. */
export const envelope = z.object({
  status: z.enum(["success", "error"]),
  data: z.unknown().optional(),
  error: z.string().optional(),
  errorType: z.string().optional(),
});

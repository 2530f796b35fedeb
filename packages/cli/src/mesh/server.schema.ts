import { z } from "zod";
import { count, duration, text } from "./schema-fields.js";

const texts = (what: string) => z.array(text(what), `expected a list: ${what}`);

/** The mesh file's `server`: options of `createServer` that hold no secret. */
export const serverSchema = z.strictObject(
  {
    limits: z
      .strictObject(
        {
          bodyBytes: count(1, "Maximum size of a body. Default: 262144."),
          queryLength: count(1, "Maximum length of a query, in characters. Default: 20000."),
          timeoutMs: duration("Maximum `timeoutMs` of a request. Default: 60000."),
          concurrency: count(1, "Maximum number of requests in progress. Default: 64."),
          concurrencyPerUser: count(
            1,
            "Maximum number of requests in progress of one user. Default: 32.",
          ),
          requestsPerMinute: count(
            1,
            "Maximum number of requests a minute of one user or address. Default: 300.",
          ),
          connections: count(1, "Maximum number of connections. Default: 1000."),
          connectionsPerAddress: count(
            1,
            "Maximum number of connections of one address. Default: 256.",
          ),
          drainMs: duration("Longest time for runs to end when it stops. Default: 10000."),
          runs: count(1, "Number of runs kept in memory. Default: 200."),
          storedRunBytes: count(1, "Maximum size of the stored runs. Default: 268435456."),
          storedRunAgeMs: count(1, "Age after which a stored run is removed. Default: 604800000."),
        },
        "expected limits: bodyBytes, concurrency, requestsPerMinute ...",
      )
      .partial()
      .optional(),
    trustedProxies: texts("addresses or networks")
      .meta({ description: "Proxies whose `x-forwarded-for` names the client." })
      .optional(),
    trustedOrigins: texts("origins such as https://mesh.example.com")
      .meta({ description: "Origins under which browsers reach it." })
      .optional(),
    open: z
      .array(
        z.enum(
          ["console", "healthz", "readyz", "metrics", "openapi", "librarians"],
          "expected console, healthz, readyz, metrics, openapi or librarians",
        ),
        "expected a list of endpoints",
      )
      .meta({ description: "Endpoints without a token. Default: console, healthz, readyz." })
      .optional(),
    recordContent: z
      .boolean("expected true or false")
      .meta({ description: "Records what was said in each hop, redacted. Off by default." })
      .optional(),
    traceUrl: text("a URL", "Address of a trace, with `{traceId}` in it.").optional(),
  },
  "expected limits, trustedProxies, trustedOrigins, open, recordContent, traceUrl",
);

import { parseOptions, readFileBounded, sanitizeText } from "@constellation/authoring";
import { MeshError } from "@constellation/core";
import type { z } from "zod";
import { httpGet } from "./http-get.js";
import type { LabelOptions, MetricsReader, ReadOptions, Sample, Series } from "./metrics-reader.js";
import {
  type PrometheusReaderOptions,
  prometheusReaderDefaults,
  prometheusReaderSchema,
} from "./prometheus-options.js";
import * as schemas from "./response-schemas.js";

/** Maximum size of a file with a token. */
const maxTokenBytes = 64 * 1024;
/** Maximum length of a server's error text in a message. */
const maxErrorLength = 300;

type Parameters = Readonly<Record<string, string>>;

/**
 * Reads a Prometheus server, or one that speaks its HTTP API (Thanos, Mimir, VictoriaMetrics), with GET
 * requests. Keeps no connection open.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key; the token is not shown.
 */
export function createPrometheusReader(options: PrometheusReaderOptions): MetricsReader {
  const checked = parseOptions(prometheusReaderSchema, options, {
    secrets: ["bearerToken", "headers"],
  });
  const { url, bearerToken, bearerTokenFile, headers = {} } = checked;
  const maxBytes = checked.maxResponseBytes ?? prometheusReaderDefaults.maxResponseBytes;
  const base = url.endsWith("/") ? url : `${url}/`;

  async function get<Data>(
    path: string,
    parameters: Parameters,
    schema: z.ZodType<Data>,
    { signal }: ReadOptions,
  ): Promise<Data> {
    const target = new URL(`api/v1/${path}`, base);
    for (const [name, value] of Object.entries(parameters)) target.searchParams.append(name, value);
    const token = bearerTokenFile === undefined ? bearerToken : await readToken(bearerTokenFile);
    const { status, body } = await httpGet(target, {
      headers: {
        accept: "application/json",
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      maxBytes,
      signal,
    });
    return readAnswer(status, body, schema, target);
  }

  const within = ({ match, start, end }: LabelOptions): Parameters => ({
    start: seconds(start),
    end: seconds(end),
    ...(match !== undefined && { "match[]": match }),
  });

  return {
    name: base.replace(/\/$/, ""),
    now: () => Date.now(),
    async range(query, { start, end, stepMs, signal }) {
      const times = { start: seconds(start), end: seconds(end), step: seconds(stepMs) };
      return toSeries(await get("query_range", { query, ...times }, schemas.queryData, { signal }));
    },
    labelNames: (options) => get("labels", within(options), schemas.nameData, options),
    labelValues: (label, options) =>
      get(`label/${encodeURIComponent(label)}/values`, within(options), schemas.nameData, options),
    async alerts(options) {
      const { alerts } = await get("alerts", {}, schemas.alertData, options);
      return alerts.flatMap(({ state, activeAt, ...rest }) =>
        state === "firing" || state === "pending"
          ? [{ state, activeAt: Date.parse(activeAt), ...rest }]
          : [],
      );
    },
    async targets(options) {
      const data = await get("targets", { state: "active" }, schemas.targetData, options);
      return data.activeTargets;
    },
    async rules(options) {
      const { groups } = await get("rules", { type: "alert" }, schemas.ruleData, options);
      return groups.flatMap(({ rules }) => rules).filter(({ type }) => type === "alerting");
    },
    linkTo(query) {
      const page = new URL("graph", base);
      page.searchParams.set("g0.expr", query);
      page.searchParams.set("g0.tab", "0");
      return page.href;
    },
  };
}

async function readToken(file: string): Promise<string> {
  return (await readFileBounded(file, { maxBytes: maxTokenBytes })).toString("utf8").trim();
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function readAnswer<Data>(
  status: number,
  body: string,
  schema: z.ZodType<Data>,
  { origin }: URL,
): Data {
  if (status === 401 || status === 403) {
    throw new MeshError("UNAUTHORIZED", `Prometheus at ${origin} rejected the credentials.`, {
      suggestion:
        "Check bearerToken, bearerTokenFile or headers, and the permissions that they grant.",
      details: { status },
    });
  }
  if (status === 429) {
    throw new MeshError(
      "RATE_LIMITED",
      `Prometheus at ${origin} rejects further requests for now.`,
    );
  }
  const outer = schemas.envelope.safeParse(tryParseJson(body));
  if (outer.success && outer.data.status === "error") {
    const { error = "no reason given" } = outer.data;
    const said = sanitizeText(error, { singleLine: true, maxLength: maxErrorLength });
    throw new MeshError("DATA_SOURCE_ERROR", `Prometheus at ${origin} refused the query: ${said}`, {
      suggestion: "Check the query; ask about fewer series or a shorter time.",
      details: { status },
    });
  }
  const data = outer.success ? schema.safeParse(outer.data.data) : undefined;
  if (data?.success === true) return data.data;
  throw new MeshError(
    "DATA_SOURCE_ERROR",
    `${origin} did not answer like a Prometheus server (status ${status}).`,
    {
      reason: "invalid-response",
      suggestion: "Check that url is the root of the Prometheus server, above /api/v1.",
      details: { status },
    },
  );
}

function tryParseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function toSeries({ result }: z.infer<typeof schemas.queryData>): readonly Series[] {
  return result.map(({ metric, values }) => ({ labels: metric, samples: values.map(toSample) }));
}

function toSample([at, value]: readonly [number, string]): Sample {
  return { at: Math.round(at * 1_000), value: parseNumber(value) };
}

function parseNumber(text: string): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  if (text === "-Inf") return Number.NEGATIVE_INFINITY;
  return text === "" ? Number.NaN : Number(text);
}

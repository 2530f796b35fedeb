import { readFileBounded } from "@constellation/authoring";
import { MeshError } from "@constellation/core";
import { z } from "zod";
import type { MetricsReader, Series } from "./metrics-reader.js";

/** Version of the format. */
const version = 1;

/** Value as text, since JSON has no NaN: `[epoch milliseconds, "0.25"]`. */
const sample = z.tuple([z.number(), z.string()]);
const series = z.object({ labels: z.record(z.string(), z.string()), samples: z.array(sample) });
const labels = z.record(z.string(), z.string());

const recordingSchema = z.object({
  version: z.literal(version),
  /** Name of the recorded reader. */
  name: z.string(),
  /** Time of the recording, in epoch milliseconds. */
  now: z.number(),
  /** Answers by request, with keys from {@link toKey}. */
  reads: z.record(z.string(), z.unknown()),
});

const answers = {
  series: z.array(series),
  names: z.array(z.string()),
  alerts: z.array(
    z.object({
      state: z.enum(["pending", "firing"]),
      labels,
      annotations: labels,
      activeAt: z.number(),
      value: z.string(),
    }),
  ),
  targets: z.array(
    z.object({ labels, health: z.enum(["up", "down", "unknown"]), lastError: z.string() }),
  ),
  rules: z.array(z.object({ name: z.string(), query: z.string(), lastError: z.string() })),
};

/** Recorded requests and answers of a server, for tests and demonstrations without one. */
export type Recording = z.infer<typeof recordingSchema>;

/** Wraps a reader to record all its answers, which can be written as JSON and opened with {@link openRecording}.
 *
 * @param now - Time of the recording, as of which questions are answered.
 */
export function createRecorder(
  reader: MetricsReader,
  now: number,
): { readonly reader: MetricsReader; readonly recording: () => Recording } {
  const reads: Record<string, unknown> = {};
  async function keep<Answer>(key: string, answer: Promise<Answer>): Promise<Answer> {
    const value = await answer;
    reads[key] = value;
    return value;
  }
  const keepSeries = async (key: string, answer: Promise<readonly Series[]>) => {
    const value = await answer;
    reads[key] = value.map(({ labels: of, samples }) => ({
      labels: of,
      samples: samples.map(({ at, value: amount }) => [at, String(amount)]),
    }));
    return value;
  };
  return {
    recording: () => ({ version, name: reader.name, now, reads }),
    reader: {
      name: reader.name,
      now: () => now,
      range: (query, options) =>
        keepSeries(
          toKey("range", query, options.start - now, options.end - now, options.stepMs),
          reader.range(query, options),
        ),
      labelNames: (options) => keep(toKey("names", options.match), reader.labelNames(options)),
      labelValues: (label, options) =>
        keep(toKey("values", label, options.match), reader.labelValues(label, options)),
      alerts: (options) => keep(toKey("alerts"), reader.alerts(options)),
      targets: (options) => keep(toKey("targets"), reader.targets(options)),
      rules: (options) => keep(toKey("rules"), reader.rules(options)),
    },
  };
}

/** Opens a recording. A request that was not recorded returns an empty answer.
 *
 * @param maxBytes - Maximum size of the file. @default 33_554_432
 * @throws MeshError `DATA_SOURCE_ERROR` when the file cannot be read or is not a recording.
 */
export async function openRecording(
  path: string,
  maxBytes = 32 * 1024 * 1024,
): Promise<MetricsReader> {
  const checked = recordingSchema.safeParse(await readJson(path, maxBytes));
  if (!checked.success) {
    throw new MeshError("DATA_SOURCE_ERROR", `${path} is not a recording of metrics.`, {
      reason: "invalid-response",
      suggestion: "Write it with createRecorder.",
    });
  }
  const { name, now, reads } = checked.data;
  function read<Answer>(schema: z.ZodType<readonly Answer[]>, key: string): readonly Answer[] {
    return Object.hasOwn(reads, key) ? schema.parse(reads[key]) : [];
  }
  const seriesAt = (key: string): readonly Series[] =>
    read(answers.series, key).map(({ labels: of, samples }) => ({
      labels: of,
      samples: samples.map(([at, value]) => ({ at, value: Number(value) })),
    }));
  return {
    name: `recording of ${name}`,
    now: () => now,
    range: async (query, { start, end, stepMs }) =>
      seriesAt(toKey("range", query, start - now, end - now, stepMs)),
    labelNames: async ({ match }) => read(answers.names, toKey("names", match)),
    labelValues: async (label, { match }) => read(answers.names, toKey("values", label, match)),
    alerts: async () => read(answers.alerts, toKey("alerts")),
    targets: async () => read(answers.targets, toKey("targets")),
    rules: async () => read(answers.rules, toKey("rules")),
  };
}

/**
 * Joins the parts of a request into a key; times are relative to now, so that the key is the same
 * at each replay.
 */
function toKey(...parts: readonly (string | number | undefined)[]): string {
  return parts.map((part) => part ?? "").join(" | ");
}

async function readJson(path: string, maxBytes: number): Promise<unknown> {
  try {
    return JSON.parse((await readFileBounded(path, { maxBytes })).toString("utf8"));
  } catch (thrown) {
    throw new MeshError("DATA_SOURCE_ERROR", `The recording ${path} could not be read.`, {
      suggestion: "Check the path, and that the file is JSON.",
      cause: thrown,
    });
  }
}

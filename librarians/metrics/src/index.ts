export type { MetricFact } from "./answer/facts.js";
export {
  createMetricsLibrarian,
  createMetricsLibrarian as createLibrarian,
} from "./metrics-librarian.js";
export {
  type MetricsLibrarianOptions,
  metricsLibrarianDefaults,
  optionsSchema,
} from "./options.js";
export type {
  Alert,
  AlertingRule,
  LabelOptions,
  MetricsReader,
  RangeOptions,
  ReadOptions,
  Sample,
  Series,
  Target,
} from "./reader/metrics-reader.js";
export type { PrometheusReaderOptions } from "./reader/prometheus-options.js";
export { createPrometheusReader } from "./reader/prometheus-reader.js";
export { createRecorder, openRecording, type Recording } from "./reader/recording.js";

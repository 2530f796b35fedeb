export {
  type FlushOptions,
  type MetricsOptions,
  type TelemetryOptions,
  telemetryDefaults,
} from "./options.js";
export { startTelemetry, type Telemetry } from "./telemetry.js";

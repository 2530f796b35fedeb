export { type TelemetryOptions, telemetryDefaults } from "./options.js";
export {
  type FlushOptions,
  type MetricsOptions,
  startTelemetry,
  type Telemetry,
} from "./telemetry.js";

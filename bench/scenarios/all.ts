import { abortScenario } from "./abort.js";
import { chainScenario, fanOutScenario, signalScenario } from "./chain.js";
import { featuresScenario } from "./features.js";
import { heapScenario, inFlightScenario } from "./in-flight.js";
import { manyScenario } from "./many.js";
import type { Scenario } from "./scenario.js";
import { importScenario, installScenario } from "./start-up.js";
import { tracingScenario } from "./tracing.js";

/** Every scenario, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  chainScenario(3),
  chainScenario(10),
  signalScenario,
  fanOutScenario(100),
  fanOutScenario(1_000),
  inFlightScenario(1_000),
  inFlightScenario(10_000),
  heapScenario,
  tracingScenario("on"),
  tracingScenario("sampled-out"),
  abortScenario,
  featuresScenario,
  importScenario,
  installScenario,
  manyScenario,
];

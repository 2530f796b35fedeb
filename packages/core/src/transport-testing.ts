export {
  type TransportProcess,
  type TransportSuiteOptions,
  testTransport,
} from "./transport/transport-suite.js";

export type { TransportProcess, TransportSuiteOptions } from "./suite/suite-mesh.js";
export { testTransport } from "./suite/transport-suite.js";

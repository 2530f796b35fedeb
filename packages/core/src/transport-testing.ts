export type { TransportProcess, TransportSuiteOptions } from "./transport/suite/suite-mesh.js";
export { testTransport } from "./transport/suite/transport-suite.js";

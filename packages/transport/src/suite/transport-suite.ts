import { afterEach, describe } from "vitest";
import { itCarriesWhatIsSaid } from "./carries.js";
import { itHasOneLedger } from "./ledger.js";
import { itKeepsLimits } from "./limits.js";
import { itKnowsWhoIsThere } from "./presence.js";
import { itSharesCalls } from "./replicas.js";
import { createSuiteMesh, type TransportSuiteOptions } from "./suite-mesh.js";
import { itWritesOnce } from "./writes.js";

/**
 * Runs the contract of a transport as tests: call it within a test file.
 *
 * @beta
 */
export function testTransport(name: string, options: TransportSuiteOptions): void {
  const mesh = createSuiteMesh(options);
  afterEach(() => mesh.end());

  describe(`the transport contract, over ${name}`, () => {
    itCarriesWhatIsSaid(mesh);
    itKeepsLimits(mesh);
    itHasOneLedger(mesh);
    itSharesCalls(mesh);
    itKnowsWhoIsThere(mesh);
    itWritesOnce(mesh);
  });
}

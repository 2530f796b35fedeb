export {
  type AskAndPrintOptions,
  type AskOutcome,
  askAndPrint,
} from "./ask-and-print.js";
export { type CommandIO, exitCodes, type Output, processIO } from "./command-io.js";
export { main } from "./command-line.js";
export { ConfigurationError } from "./configuration-error.js";
export { type LoadMeshOptions, loadMesh, type Mesh } from "./mesh/load-mesh.js";
export { type MeshFile, meshFileJsonSchema, meshFileSchema } from "./mesh/mesh-file.schema.js";
export type { OutputFormat } from "./terminal/printable-data.js";

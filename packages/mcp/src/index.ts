export {
  createMcpHandler,
  type McpHandler,
} from "./http/create-mcp-handler.js";
export { type McpHandlerOptions, mcpHandlerDefaults } from "./http/options.js";
export {
  createMcpLibrarian,
  createMcpLibrarian as createLibrarian,
} from "./librarian/mcp-librarian.js";
export {
  type ConnectServer,
  type HttpServer,
  type McpLibrarianOptions,
  mcpLibrarianDefaults,
  optionsSchema,
  type StdioServer,
} from "./librarian/options.js";
export { createMcpServer } from "./server/create-mcp-server.js";
export { type McpServerOptions, mcpServerDefaults } from "./server/options.js";
export type { RequestInfo } from "./server/request-info.js";
export { type ServeStdioOptions, serveStdio } from "./stdio/serve-stdio.js";

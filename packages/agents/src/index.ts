export { asTool, type MeshTool, type MeshToolInput, type MeshToolOptions } from "./as-tool.js";
export { type AgentCall, type AgentOptions, type AgentReply, fromAgent } from "./from-agent.js";

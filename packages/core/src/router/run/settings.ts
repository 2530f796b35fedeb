import type { AIClient } from "../../contract/ai-client.js";
import type { Budget } from "../../contract/budget.js";
import type { InputLimits } from "../../contract/input-limits.js";
import type { MeshTransport } from "../../contract/mesh-transport.js";
import type { MergeStrategy } from "../../contract/response.js";
import type { ResilienceOptions } from "../../registry/policy.js";
import type { SecretKeys } from "./secrets.js";

/** What all runs of a router have in common: its options, checked, with defaults. */
export interface RouterSettings {
  readonly name: string;
  /** Names the mesh to other meshes: `name` where it is given, else random. */
  readonly meshName: string;
  readonly entry: string | undefined;
  readonly timeoutMs: number;
  readonly maxDepth: number;
  readonly maxHops: number;
  readonly maxFanout: number;
  readonly fanoutConcurrency: number;
  readonly concurrency: number;
  readonly maxQueue: number;
  readonly inputLimits: InputLimits;
  /** What librarians have that declare nothing else. */
  readonly resilience: ResilienceOptions;
  readonly merge: MergeStrategy;
  /** `undefined`: half of what remains. */
  readonly blendTimeoutMs: number | undefined;
  readonly loops: "path" | "work";
  readonly budget: Budget | undefined;
  readonly ai: AIClient | undefined;
  readonly transport: MeshTransport | undefined;
  readonly recordContent: boolean;
  /** By key of metadata, the librarians that it is meant for; `undefined`: no key is secret. */
  readonly secrets: SecretKeys | undefined;
  readonly debug: boolean;
}

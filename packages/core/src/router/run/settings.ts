import { randomBytes } from "node:crypto";
import type { InputLimits } from "../../contract/input-limits.js";
import { checkOptions } from "../../contract/option-checks.js";
import type { ResilienceOptions } from "../../contract/resilience.js";
import { type RouterOptions, routerDefaults, routerTable } from "./router-options.js";
import type { SecretKeys } from "./secrets.js";

/** What all runs of a router have in common: its options, checked, with defaults. */
export interface RouterSettings extends Omit<GivenOptions, "secrets"> {
  /** Names the mesh to other meshes: `name` where it is given, else random. */
  readonly meshName: string;
  readonly inputLimits: InputLimits;
  /** What librarians have that declare nothing else. */
  readonly resilience: ResilienceOptions;
  /** By key of metadata, the librarians that it is meant for; `undefined`: no key is secret. */
  readonly secrets: SecretKeys | undefined;
}

type Defaults = typeof routerDefaults;
type GivenOptions = Omit<RouterOptions, keyof Defaults> & {
  readonly [Key in keyof Defaults]: NonNullable<RouterOptions[Key]>;
};

/** @throws TypeError or RangeError that names the key and the value. */
export function readSettings(options: unknown): RouterSettings {
  const given = checkOptions<RouterOptions>("options", options, routerTable);
  const { name, transport, secrets = {} } = given;
  if (Object.hasOwn(secrets, "reason")) {
    throw new RangeError('secrets: "reason" is recorded for each hop, so it cannot be secret.');
  }
  const settings = { ...routerDefaults, ...given } as GivenOptions; // a copy has no `undefined`
  const keys = Object.entries(secrets).map(([key, ids]) => [key, new Set(ids)] as const);
  return {
    ...settings,
    meshName: transport?.mesh ?? name ?? `mesh-${randomBytes(4).toString("hex")}`,
    inputLimits: settings,
    resilience: settings,
    secrets: keys.length === 0 ? undefined : new Map(keys),
  };
}

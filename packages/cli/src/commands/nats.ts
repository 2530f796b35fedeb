import type { NatsMember, NatsTransportOptions } from "@constellation/nats";
import { type CommandIO, exitCodes } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { importNats } from "../mesh/transports.js";

/** Flags of `constellation nats setup`. */
export interface NatsFlags {
  readonly name: string;
  readonly caller: readonly string[];
  readonly librarian: readonly string[];
  readonly servers?: readonly string[] | undefined;
  readonly creds?: string | undefined;
}

/** Members where none are given: one of each role. */
const examples: readonly NatsMember[] = [
  { name: "caller", calls: ["docs"] },
  { name: "librarian", serves: ["docs"] },
  { name: "both", serves: ["weather"], calls: ["docs"] },
];

/**
 * `constellation nats setup`: prints accounts and permissions for the members of a mesh, and makes its buckets.
 */
export async function setUpNats(flags: NatsFlags, { stdout, stderr, env }: CommandIO) {
  const { printNatsAccounts, setUpNatsMesh } = await importNats();
  const members = readMembers(flags);
  stdout.write(printNatsAccounts(flags.name, members.length > 0 ? members : examples));
  if (flags.servers === undefined) return exitCodes.answered;
  const { NATS_USER: user, NATS_PASSWORD: password } = env;
  const credentials: NatsTransportOptions["credentials"] =
    flags.creds === undefined
      ? user === undefined || password === undefined
        ? undefined
        : { user, password }
      : { file: flags.creds };
  try {
    const copies = await setUpNatsMesh({
      servers: flags.servers,
      mesh: flags.name,
      ...(credentials !== undefined && { credentials }),
    });
    const where = copies === 1 ? "one server" : `${copies} servers`;
    stderr.write(`The buckets of claims of the mesh ${flags.name} are there, on ${where}.\n`);
    return exitCodes.answered;
  } catch (thrown) {
    stderr.write(`${thrown instanceof Error ? thrown.message : "The setup failed."}\n`);
    return exitCodes.failed;
  }
}

/** Members by name: one may call some librarians and serve others. */
function readMembers({ caller, librarian }: NatsFlags): readonly NatsMember[] {
  const members = new Map<string, { name: string; serves: string[]; calls: string[] }>();
  for (const [kind, given] of [
    ["calls", caller],
    ["serves", librarian],
  ] as const) {
    for (const text of given) {
      const [, name, ids] = /^([\w-]{1,64})=([a-z0-9,-]+)$/.exec(text) ?? [];
      if (name === undefined || ids === undefined) {
        throw new ConfigurationError(
          `"${text}": expected the name of a member and ids of librarians, as in desk=docs,deploy.`,
        );
      }
      const member = members.get(name) ?? { name, serves: [], calls: [] };
      member[kind].push(...ids.split(",").filter((id) => id !== ""));
      members.set(name, member);
    }
  }
  return [...members.values()];
}

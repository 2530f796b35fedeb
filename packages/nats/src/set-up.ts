import { connectToNats } from "./connect.js";
import { makeClaimsBuckets } from "./nats-claims.js";
import { checkOptions, type NatsTransportOptions, natsTransportDefaults } from "./options.js";
import {
  administratorPermissions,
  listNatsPermissions,
  type NatsMember,
  type NatsPermissions,
} from "./permissions.js";

/**
 * Makes what a mesh keeps on its NATS server, as an administrator: its members need no right to do so.
 *
 * @param options - Where, which mesh, and the administrator's credentials.
 * @returns Number of servers that keep the buckets of claims: 3 where there is a cluster of three.
 * @throws MeshError where the server cannot be reached, or refuses.
 */
export async function setUpNatsMesh(options: NatsTransportOptions): Promise<number> {
  const { mesh = natsTransportDefaults.mesh, ...checked } = checkOptions(options);
  const connection = await connectToNats({
    ...checked,
    mesh,
    caller: checked.caller ?? natsTransportDefaults.caller,
  });
  try {
    return await makeClaimsBuckets(connection, mesh);
  } finally {
    await connection.close();
  }
}

/**
 * Writes the part of a server's configuration with one account for a mesh, and in it a user for each member and an
 * administrator. Passwords are read from the environment of the server: `$DESK_PASSWORD` for the member `desk`.
 */
export function printNatsAccounts(mesh: string, members: readonly NatsMember[]): string {
  const users = members.map((member) =>
    printUser(member.name, describeRole(member), listNatsPermissions(mesh, member)),
  );
  const administrator = `${mesh}-admin`;
  return `accounts {
  ${mesh} {
    jetstream: enabled
    users: [
${users.join("\n")}
${printUser(administrator, "makes the buckets of claims: constellation nats setup", administratorPermissions)}
    ]
  }
}
`;
}

function describeRole({ serves = [], calls = [] }: NatsMember): string {
  const parts = [
    ...(serves.length > 0 ? [`serves ${serves.join(", ")}`] : []),
    ...(calls.length > 0 ? [`calls ${calls.join(", ")}`] : []),
  ];
  return parts.join("; ");
}

function printUser(name: string, what: string, { publish, subscribe }: NatsPermissions): string {
  const list = (subjects: readonly string[]) =>
    subjects.map((subject) => `            ${JSON.stringify(subject)}`).join("\n");
  const variable = `$${name.toUpperCase().replaceAll(/\W/g, "_")}_PASSWORD`;
  return `      # ${what}
      {
        user: ${JSON.stringify(name)}, password: ${variable}
        permissions {
          publish: [
${list(publish)}
          ]
          subscribe: [
${list(subscribe)}
          ]
        }
      }`;
}

import {
  administratorPermissions,
  listNatsPermissions,
  type NatsMember,
  type NatsPermissions,
} from "../src/permissions.js";

/** The part of a server's configuration with users that have the permissions of members, and an administrator. */
export function serverConfiguration(mesh: string, members: readonly NatsMember[]): string {
  const users = [
    ...members.map((member) => userLine(member.name, listNatsPermissions(mesh, member))),
    userLine("admin", administratorPermissions),
  ];
  return `authorization { users = [\n${users.join("\n")}\n] }`;
}

function userLine(name: string, { publish, subscribe }: NatsPermissions): string {
  const permissions = `publish: ${JSON.stringify(publish)}, subscribe: ${JSON.stringify(subscribe)}`;
  return `{ user: ${name}, password: ${name}-password, permissions { ${permissions} } }`;
}

import { claimsBuckets } from "./nats-claims.js";

/**
 * A member of a mesh, as an administrator knows it: one name for each user of the server.
 */
export interface NatsMember {
  /** Its name: the option `caller` of its processes. */
  readonly name: string;
  /** Ids of the librarians that it serves. */
  readonly serves?: readonly string[] | undefined;
  /** Ids of the librarians that it calls. */
  readonly calls?: readonly string[] | undefined;
}

/** Subjects that a user of the server may publish to and subscribe to. */
export interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * Lists exactly the permissions that a member needs. It cannot read queries or answers of others, call under another
 * name, answer for a librarian of others, or create a stream.
 *
 * @param mesh - Name of the mesh.
 */
export function listNatsPermissions(mesh: string, member: NatsMember): NatsPermissions {
  const { name, serves = [], calls = [] } = member;
  const buckets = claimsBuckets(mesh);
  const on = (subject: string) => `mesh.${mesh}.${subject}`;
  const claims = (keys: string) =>
    buckets.flatMap(({ stream, prefix }) => [
      `${prefix}${keys}`,
      `$JS.API.DIRECT.GET.${stream}.${prefix}${keys}`,
    ]);
  return {
    publish: [
      on("ping.*.*"),
      on("pong.*.*.*"),
      on(`who.${name}`),
      on(`suspect.${name}`),
      ...(calls.length > 0 ? [on(`probe.*.*.${name}`)] : []),
      ...calls.flatMap((id) => [
        on(`find.${id}.${name}`),
        on(`call.${id}.*.${name}`),
        ...claims(`${id}.${name}.*`),
      ]),
      ...serves.flatMap((id) => [on(`member.*.${id}`), ...claims(`${id}.*.*`)]),
      ...(serves.length > 0 ? [on("inbox.*.>")] : []),
    ],
    subscribe: [
      on(`inbox.${name}.>`),
      on(`ping.${name}.*`),
      on(`pong.${name}.>`),
      on("member.*.*"),
      on("suspect.*"),
      ...(serves.length > 0 ? [on("who.*"), on(`probe.${name}.*.*`)] : []),
      // With its queue group only, so that replicas do not receive calls of each other.
      ...serves.flatMap((id) => [on(`call.${id}.*.*`), `${on(`find.${id}.*`)} ${id}`]),
    ],
  };
}

/** Permissions of an administrator, who creates the buckets of claims: a separate user in the same account. */
export const administratorPermissions: NatsPermissions = {
  publish: ["$JS.API.>"],
  subscribe: ["_INBOX.>", "mesh.*.inbox.*.>"],
};

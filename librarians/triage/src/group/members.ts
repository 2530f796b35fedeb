import type { Delegate } from "@constellation/core";
import { z } from "zod";

/** Capability of a librarian that delegates questions to others and lists them. */
export const groupCapability = "delegation.members";
/** The question that a group answers with its members, in `metadata.members`. */
export const membersQuestion = "Which librarians are there?";

/** Maximum number of members of one group that are listed, and of examples of each. */
const maxMembers = 5_000;
const maxExamples = 16;

const text = z.string().max(4_000);
const memberSchema = z.object({
  id: z.string().min(1).max(200),
  name: text.optional(),
  description: text.optional(),
  team: text.optional(),
  capabilities: z.array(text).max(100).optional(),
  examples: z.array(text).max(100).optional(),
});

/** What a group reports about its members. */
export function listMembers(delegates: readonly Delegate[]): readonly Delegate[] {
  return delegates
    .slice(0, maxMembers)
    .map(({ id, name, description, team, capabilities, examples }) => ({
      id,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description.slice(0, 4_000) }),
      ...(team !== undefined && { team }),
      ...(capabilities !== undefined && { capabilities: capabilities.slice(0, 100) }),
      ...(examples !== undefined && { examples: examples.slice(0, maxExamples) }),
    }));
}

/** Reads the members of a group from the metadata of its response, as `group/member`. Empty where there are none. */
export function membersIn(
  metadata: Readonly<Record<string, unknown>> | undefined,
  group: Delegate,
): readonly Delegate[] {
  const listed: readonly unknown[] = Array.isArray(metadata?.members) ? metadata.members : [];
  return listed.slice(0, maxMembers).flatMap((each) => {
    const read = memberSchema.safeParse(each);
    // The team of the group decides ties, as it is the group that is asked.
    return read.success
      ? Object.freeze({ ...read.data, id: `${group.id}/${read.data.id}`, team: group.team })
      : [];
  });
}

import type { Context, Delegate } from "@constellation/core";
import { groupCapability, membersIn, membersQuestion } from "./members.js";

/** Maximum number of groups that are asked for their members. */
const maxGroups = 100;
/** Age after which members are read again, and maximum time for reading them, in milliseconds. */
const freshMs = 60_000;
const askMs = 2_000;

/** Delegates, and the members of groups among them. */
export interface FlatDelegates {
  readonly delegates: readonly Delegate[];
  /** The librarian to call for a delegate: the group of a member; else the delegate itself. */
  targetOf(delegate: Delegate): Delegate;
}

/** Finds the members of groups. */
export type ReadGroups = (
  delegates: readonly Delegate[],
  context: Pick<Context, "ask">,
) => Promise<FlatDelegates>;

/**
 * Creates what describes groups by their members, so that a question finds the group by a member's own
 * words: it asks each group which librarians it has, and again after a minute. A group that does
 * not list its members is matched by its own description.
 */
export function createGroupReader(): ReadGroups {
  const known = new Map<
    string,
    { readonly members: readonly Delegate[]; readonly readAt: number }
  >();
  const flat = new WeakMap<readonly Delegate[], { version: number; of: FlatDelegates }>();
  const groupsOf = new WeakMap<readonly Delegate[], readonly Delegate[]>();
  let version = 0;

  const refresh = async (group: Delegate, ask: NonNullable<Context["ask"]>) => {
    const { metadata } = await ask(membersQuestion, { to: group.id, timeoutMs: askMs });
    const before = known.get(group.id)?.members ?? [];
    const now = membersIn(metadata, group);
    const isSame = JSON.stringify(before) === JSON.stringify(now);
    if (!isSame) version++;
    // The same objects as before when nothing changed, so that cached data about them stays valid.
    known.set(group.id, { members: isSame ? before : now, readAt: performance.now() });
  };

  return async (delegates, { ask }) => {
    const groups = groupsOf.get(delegates) ?? groupsIn(delegates);
    groupsOf.set(delegates, groups);
    if (groups.length === 0 || ask === undefined) return { delegates, targetOf: (each) => each };
    const due = performance.now() - freshMs;
    const stale = groups.filter(
      ({ id }) => (known.get(id)?.readAt ?? Number.NEGATIVE_INFINITY) < due,
    );
    await Promise.all(stale.map((group) => refresh(group, ask)));
    const made = flat.get(delegates);
    if (made?.version === version) return made.of;
    const of = flatten(delegates, (id) => known.get(id)?.members ?? []);
    flat.set(delegates, { version, of });
    return of;
  };
}

function groupsIn(delegates: readonly Delegate[]): readonly Delegate[] {
  return delegates
    .filter(({ capabilities }) => capabilities?.includes(groupCapability))
    .slice(0, maxGroups);
}

/** A member that is available directly is not listed below its group. */
function flatten(
  delegates: readonly Delegate[],
  membersOf: (id: string) => readonly Delegate[],
): FlatDelegates {
  const direct = new Set(delegates.map(({ id }) => id));
  const targets = new Map<Delegate, Delegate>();
  for (const group of delegates) {
    for (const member of membersOf(group.id)) {
      if (!direct.has(member.id.slice(group.id.length + 1))) targets.set(member, group);
    }
  }
  return {
    delegates: Object.freeze([...delegates, ...targets.keys()]),
    targetOf: (each) => targets.get(each) ?? each,
  };
}

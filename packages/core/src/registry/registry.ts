import type { LibrarianDefinition } from "../contract/definition.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import { describeValue } from "../contract/unknown-value.js";
import { checkDefinition } from "./check-definition.js";
import { Entry } from "./entry.js";

/** Who can be asked. */
export interface Registry {
  /**
   * Adds a librarian.
   *
   * @throws TypeError or RangeError that names the key and the value, when the definition is wrong
   *   or its id is taken. Nothing is added then.
   */
  register(definition: LibrarianDefinition): Entry;
  /**
   * Takes a librarian out; hops that have begun go on.
   *
   * @returns Its entry, or `undefined` when there was none.
   */
  unregister(id: string): Entry | undefined;
  get(id: string): Entry | undefined;
  /** Everyone, in the order of registration. The same array until somebody comes or goes. */
  list(): readonly LibrarianInfo[];
  /**
   * Those who can do something: a capability is also each of its ancestors, so `kubernetes` finds
   * who declares `kubernetes.facts`, and not the other way round.
   */
  find(capability: string): readonly LibrarianInfo[];
  entries(): IterableIterator<Entry>;
  readonly size: number;
}

export function createRegistry(): Registry {
  const entries = new Map<string, Entry>();
  const byCapability = new Map<string, Set<Entry>>();
  let registrations = 0;
  let infos: readonly LibrarianInfo[] | undefined;

  return {
    register(definition) {
      const checked = checkDefinition(definition);
      if (entries.has(checked.id)) {
        throw new RangeError(
          `id: ${describeValue(checked.id)} is registered already. Unregister it first, or choose another id.`,
        );
      }
      const entry = new Entry(checked, registrations++);
      entries.set(checked.id, entry);
      for (const name of withAncestors(entry.info.capabilities)) {
        const set = byCapability.get(name) ?? new Set();
        byCapability.set(name, set.add(entry));
      }
      infos = undefined;
      return entry;
    },
    unregister(id) {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      entries.delete(id);
      for (const name of withAncestors(entry.info.capabilities)) {
        const set = byCapability.get(name);
        set?.delete(entry);
        if (set?.size === 0) byCapability.delete(name);
      }
      infos = undefined;
      return entry;
    },
    get: (id) => entries.get(id),
    list() {
      infos ??= Object.freeze(Array.from(entries.values(), (entry) => entry.info));
      return infos;
    },
    find: (capability) => Array.from(byCapability.get(capability) ?? [], (entry) => entry.info),
    entries: () => entries.values(),
    get size() {
      return entries.size;
    },
  };
}

/** `["a.b.c", "a.d"]` -> `a`, `a.b`, `a.b.c`, `a.d`. */
function withAncestors(capabilities: readonly string[] = []): Set<string> {
  const names = new Set<string>();
  for (const capability of capabilities) {
    for (let dot = capability.indexOf("."); dot !== -1; dot = capability.indexOf(".", dot + 1)) {
      names.add(capability.slice(0, dot));
    }
    names.add(capability);
  }
  return names;
}

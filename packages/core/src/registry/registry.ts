import type { LibrarianDefinition } from "../contract/definition.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import { describeValue } from "../contract/unknown-value.js";
import { checkDefinition } from "./check-definition.js";
import type { ResilienceOptions } from "./policy.js";
import { Registration } from "./registration.js";
import { visibleInfos } from "./visible.js";

/** The librarians that can be asked. */
export interface Registry {
  /**
   * Adds a librarian.
   *
   * @throws TypeError or RangeError that names the key and the value, when the definition is wrong
   *   or its id is taken. Nothing is added then.
   */
  register(definition: LibrarianDefinition): Registration;
  /**
   * Removes a librarian; hops that have begun continue.
   *
   * @returns Its registration, or `undefined` when there was none.
   */
  unregister(id: string): Registration | undefined;
  get(id: string): Registration | undefined;
  /** All librarians, in the order of registration. The same array until one is added or removed. */
  list(): readonly LibrarianInfo[];
  /** Whether some librarian has a rule about who may ask it. */
  readonly hasRules: boolean;
  /** Descriptions of those that may be asked: `delegatesTo` of each names no other. */
  listVisible(mayAsk: (registration: Registration) => boolean): readonly LibrarianInfo[];
  /** The same, of those with a capability. */
  findVisible(
    capability: string,
    mayAsk: (registration: Registration) => boolean,
  ): readonly LibrarianInfo[];
  /**
   * Those whose last health check did not report `down` and whose breaker is not open. The same array
   * until that changes.
   */
  listHealthy(now: number): readonly LibrarianInfo[];
  /** The breaker of a librarian has changed its state. */
  breakerChanged(): void;
  /** Keeps the result of a health check. */
  setDown(registration: Registration, isDown: boolean): void;
  /**
   * Librarians with a capability, which is also each of its ancestors: `kubernetes` finds those that
   * declare `kubernetes.facts`, and not the other way round.
   */
  find(capability: string): readonly LibrarianInfo[];
  registrations(): IterableIterator<Registration>;
  readonly size: number;
}

/** @param defaults - What librarians have that declare nothing else. */
export function createRegistry(defaults: ResilienceOptions = {}): Registry {
  const byId = new Map<string, Registration>();
  const byCapability = new Map<string, Set<Registration>>();
  let added = 0;
  let rules = 0;
  let healthy: readonly LibrarianInfo[] | undefined;
  /** When a breaker lets probes through, so that the list above is not true any more. */
  let healthyUntil = Number.POSITIVE_INFINITY;
  let infos: readonly LibrarianInfo[] | undefined;

  return {
    register(definition) {
      const checked = checkDefinition(definition);
      if (byId.has(checked.id)) {
        throw new RangeError(
          `id: ${describeValue(checked.id)} is registered already. Unregister it first, or choose another id.`,
        );
      }
      const registration = new Registration(checked, added++, defaults);
      byId.set(checked.id, registration);
      if (checked.allow !== undefined) rules++;
      for (const name of withAncestors(registration.info.capabilities)) {
        const set = byCapability.get(name) ?? new Set();
        byCapability.set(name, set.add(registration));
      }
      infos = undefined;
      healthy = undefined;
      return registration;
    },
    unregister(id) {
      const registration = byId.get(id);
      if (registration === undefined) return undefined;
      byId.delete(id);
      if (registration.definition.allow !== undefined) rules--;
      for (const name of withAncestors(registration.info.capabilities)) {
        const set = byCapability.get(name);
        set?.delete(registration);
        if (set?.size === 0) byCapability.delete(name);
      }
      infos = undefined;
      healthy = undefined;
      return registration;
    },
    get: (id) => byId.get(id),
    list() {
      infos ??= Object.freeze(Array.from(byId.values(), ({ info }) => info));
      return infos;
    },
    get hasRules() {
      return rules > 0;
    },
    listVisible: (mayAsk) => visibleInfos(byId.values(), (id) => byId.get(id), mayAsk),
    findVisible: (capability, mayAsk) =>
      visibleInfos(byCapability.get(capability) ?? [], (id) => byId.get(id), mayAsk),
    listHealthy(now) {
      if (healthy === undefined || now >= healthyUntil) {
        const offered = [...byId.values()].filter((each) => each.isOffered(now));
        healthy = Object.freeze(offered.map(({ info }) => info));
        healthyUntil = Number.POSITIVE_INFINITY;
        for (const { policy } of byId.values()) {
          const openUntil = policy?.breaker?.openUntil ?? 0;
          if (openUntil > now) healthyUntil = Math.min(healthyUntil, openUntil);
        }
      }
      return healthy;
    },
    breakerChanged() {
      healthy = undefined;
    },
    setDown(registration, isDown) {
      if (registration.isDown === isDown) return;
      registration.isDown = isDown;
      healthy = undefined;
    },
    find: (capability) => Array.from(byCapability.get(capability) ?? [], ({ info }) => info),
    registrations: () => byId.values(),
    get size() {
      return byId.size;
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

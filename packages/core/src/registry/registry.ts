import type { LibrarianDefinition } from "../contract/definition.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import type { ResilienceOptions } from "../contract/resilience.js";
import { describeValue } from "../contract/unknown-value.js";
import { checkDefinition } from "./check-definition.js";
import { Registration } from "./registration.js";

/** Whether a librarian may be asked. */
type MayAsk = (registration: Registration) => boolean;

/** The librarians that can be asked. */
export class Registry {
  readonly #defaults: ResilienceOptions;
  readonly #byId = new Map<string, Registration>();
  readonly #byCapability = new Map<string, Set<Registration>>();
  #added = 0;
  #rules = 0;
  #infos: readonly LibrarianInfo[] | undefined;
  #healthy: readonly LibrarianInfo[] | undefined;
  /** Moment at which a breaker lets probes through, which makes the list above outdated. */
  #healthyUntil = Number.POSITIVE_INFINITY;

  /** @param defaults - Policy of librarians that declare none. */
  constructor(defaults: ResilienceOptions = {}) {
    this.#defaults = defaults;
  }

  /**
   * Adds a librarian.
   *
   * @throws TypeError or RangeError that names the key and the value, when the definition is wrong
   *   or its id is taken. Nothing is added then.
   */
  register(definition: LibrarianDefinition): Registration {
    const checked = checkDefinition(definition);
    if (this.#byId.has(checked.id)) {
      throw new RangeError(
        `id: ${describeValue(checked.id)} is registered already. Unregister it first, or choose another id.`,
      );
    }
    const registration = new Registration(checked, this.#added++, this.#defaults);
    this.#byId.set(checked.id, registration);
    if (checked.allow !== undefined) this.#rules++;
    for (const name of withAncestors(registration.info.capabilities)) {
      const set = this.#byCapability.get(name) ?? new Set();
      this.#byCapability.set(name, set.add(registration));
    }
    this.#changed();
    return registration;
  }

  /** Removes a librarian; hops that have begun continue. @returns `undefined` when there was none. */
  unregister(id: string): Registration | undefined {
    const registration = this.#byId.get(id);
    if (registration === undefined) return undefined;
    this.#byId.delete(id);
    if (registration.definition.allow !== undefined) this.#rules--;
    for (const name of withAncestors(registration.info.capabilities)) {
      const set = this.#byCapability.get(name);
      set?.delete(registration);
      if (set?.size === 0) this.#byCapability.delete(name);
    }
    this.#changed();
    return registration;
  }

  #changed(): void {
    this.#infos = undefined;
    this.#healthy = undefined;
  }

  get(id: string): Registration | undefined {
    return this.#byId.get(id);
  }

  /**
   * All librarians, in the order of registration: the same array until one is added or removed.
   *
   * @param mayAsk - Lists only those that may be asked: `delegatesTo` of each names no other.
   */
  list(mayAsk?: MayAsk): readonly LibrarianInfo[] {
    if (mayAsk !== undefined && this.hasRules) return this.#visible(this.#byId.values(), mayAsk);
    this.#infos ??= Object.freeze(Array.from(this.#byId.values(), ({ info }) => info));
    return this.#infos;
  }

  /**
   * Librarians with a capability, which is also each of its ancestors: `kubernetes` finds those that
   * declare `kubernetes.facts`, and not the other way round.
   *
   * @param mayAsk - As for {@link list}.
   */
  find(capability: string, mayAsk: MayAsk = () => true): readonly LibrarianInfo[] {
    return this.#visible(this.#byCapability.get(capability) ?? [], mayAsk);
  }

  /** Whether some librarian has a rule about who may ask it. */
  get hasRules(): boolean {
    return this.#rules > 0;
  }

  #visible(registrations: Iterable<Registration>, mayAsk: MayAsk): readonly LibrarianInfo[] {
    const decided = new Map<Registration, boolean>();
    const isVisible = (registration: Registration): boolean => {
      const known = decided.get(registration) ?? mayAsk(registration);
      decided.set(registration, known);
      return known;
    };
    const infos: LibrarianInfo[] = [];
    for (const registration of registrations) {
      if (!isVisible(registration)) continue;
      const { info } = registration;
      const shown = info.delegatesTo?.filter((id) => {
        const target = this.#byId.get(id);
        return target === undefined || isVisible(target);
      });
      const isWhole = shown === undefined || shown.length === info.delegatesTo?.length;
      infos.push(isWhole ? info : Object.freeze({ ...info, delegatesTo: Object.freeze(shown) }));
    }
    return infos;
  }

  /**
   * Those whose last health check did not report `down` and whose breaker is not open. The same array
   * until that changes.
   */
  listHealthy(now: number): readonly LibrarianInfo[] {
    if (this.#healthy === undefined || now >= this.#healthyUntil) {
      const all = [...this.#byId.values()];
      const offered = all.filter((each) => each.isOffered(now));
      this.#healthy = Object.freeze(offered.map(({ info }) => info));
      this.#healthyUntil = Number.POSITIVE_INFINITY;
      for (const { policy } of all) {
        const openUntil = policy?.breaker?.openUntil ?? 0;
        if (openUntil > now) this.#healthyUntil = Math.min(this.#healthyUntil, openUntil);
      }
    }
    return this.#healthy;
  }

  /** The breaker of a librarian has changed its state. */
  breakerChanged(): void {
    this.#healthy = undefined;
  }

  /** Keeps the result of a health check. */
  setDown(registration: Registration, isDown: boolean): void {
    if (registration.isDown === isDown) return;
    registration.isDown = isDown;
    this.#healthy = undefined;
  }

  registrations(): IterableIterator<Registration> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Id of the only librarian; `undefined` when there are several, or none. */
  get onlyId(): string | undefined {
    return this.#byId.size === 1 ? this.#byId.keys().next().value : undefined;
  }
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

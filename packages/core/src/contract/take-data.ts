import type { InputLimits } from "./input-limits.js";

/** The result of taking data: a frozen copy, or a problem that names the key but not its value. */
export type TakenData =
  | { readonly data: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/** Maximum sizes of one record of data. */
export type DataLimits = Pick<InputLimits, "maxMetadataLength" | "maxMetadataDepth">;

/** Size of a value that is neither text nor a buffer, in characters. */
const valueLength = 8;

/** Longest path of keys in a problem, in characters. */
const maxPathLength = 200;

/** A frozen object or array that was taken for a run. */
interface Part {
  /** Of its keys and values, in characters. */
  readonly length: number;
  /** Levels of objects and arrays, its own included. */
  readonly levels: number;
  readonly scope: DataScope;
  /** `undefined`: it is a claim. */
  readonly observation: Observation | undefined;
  /** Whether a part of it has another origin than the whole. */
  readonly isMixed: boolean;
}

/** All data that runs have taken. Only this file can add to it, so that it cannot be forged. */
const parts = new WeakMap<object, Part>();

/**
 * The run that data belongs to.
 *
 * @beta
 */
export class DataScope {
  #shared: Set<DataScope> | undefined;

  /** Makes data of another run belong to this one too, because they share a call. */
  share(other: DataScope): void {
    if (other === this) return;
    this.#shared ??= new Set();
    this.#shared.add(other);
    for (const each of other.#shared ?? []) if (each !== this) this.#shared.add(each);
  }

  /**
   * Who observed an object or an array; of an array, each item must have been observed as well.
   *
   * @returns `undefined` for a copy, for what someone claims, and for what is not of this run.
   */
  observed(value: unknown): Observation | undefined {
    const observation = this.#partOf(value)?.observation;
    if (observation === undefined || !Array.isArray(value)) return observation;
    const isWhole = value.every((item: unknown) => {
      const isObject = typeof item === "object" && item !== null;
      return !isObject || this.#partOf(item)?.observation !== undefined;
    });
    return isWhole ? observation : undefined;
  }

  /**
   * Origins of the parts of data of this run, because equal data with other origins is different.
   *
   * @returns Paths of keys with the id of a librarian, or `(caller)`, in the order of the paths; `undefined`
   *   where nothing was observed.
   */
  observers(data: object | undefined): readonly string[] | undefined {
    if (data === undefined) return undefined;
    const found: string[] = [];
    this.#addObservers(data, "", found);
    return found.length === 0 ? undefined : found.sort();
  }

  #addObservers(value: unknown, path: string, found: string[]): void {
    const part = this.#partOf(value);
    if (part?.observation !== undefined) {
      const { observation } = part;
      found.push(`${path} ${observation.by === "librarian" ? observation.librarian : "(caller)"}`);
    }
    if (part?.isMixed !== true || typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      this.#addObservers(each, `${path}/${JSON.stringify(key)}`, found);
    }
  }

  #partOf(value: unknown): Part | undefined {
    return typeof value === "object" && value !== null ? partIn(this, value) : undefined;
  }

  /** Whether a part of that scope is data of this run. */
  holds(scope: DataScope): boolean {
    return scope === this || this.#shared?.has(scope) === true;
  }
}

/**
 * Whether data contains claims of a run as the same objects. Kept for another run, they would look as if the
 * librarian had observed them.
 */
export function carriesClaims(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  const part = parts.get(data);
  if (part !== undefined && part.observation === undefined) return true;
  if (part?.isMixed === false || (part === undefined && !isPlain(data))) return false;
  return Object.values(data).some(carriesClaims);
}

function partIn(scope: DataScope, value: object): Part | undefined {
  const part = parts.get(value);
  return part !== undefined && scope.holds(part.scope) ? part : undefined;
}

/** A copy that is frozen, or a part that is kept. */
interface Taken extends Omit<Part, "scope"> {
  readonly copy: object;
}

/** Keys that lead to a part; the index of an item. */
type Path = (string | number)[];

/**
 * Takes data from untrusted code, so that no one can change it afterwards: copies plain objects and
 * arrays, reading each once, and freezes the copies. Data already taken for the same run is kept unchanged. Objects
 * of other kinds (instances of classes, functions) belong to the application and are kept
 * too.
 *
 * One taker is for the parts of one value: an object that several of them share is copied once.
 */
export class DataTaker {
  readonly #limits: DataLimits;
  readonly #scope: DataScope | undefined;
  readonly #taken = new Map<object, Taken | "open">();
  /** Characters of the record so far. */
  #length = 0;

  /** @param scope - The run. None given: everything is copied, and nothing counts as observed. */
  constructor(limits: DataLimits, scope: DataScope | undefined) {
    this.#limits = limits;
    this.#scope = scope;
  }

  /**
   * Takes a record.
   *
   * @param observation - Origin of its new parts; `undefined`: they are claims.
   * @returns A problem for data that is too large or nested too deeply, that JSON cannot carry (a bigint,
   *   an object that contains itself), or that throws while it is read. Never throws.
   */
  take(data: object, observation: Observation | undefined): TakenData {
    const path: Path = [];
    this.#length = valueLength;
    try {
      const taken = this.#take(data, observation, path);
      if (typeof taken === "string") return { problem: `${namePath(path)}: ${taken}` };
      return { data: taken.copy as Readonly<Record<string, unknown>> }; // of a record
    } catch {
      return { problem: `${namePath(path)}: it threw while it was being read` };
    }
  }

  /** @param path - Where it is, also when there is a problem. */
  #take(value: object, observation: Observation | undefined, path: Path): Taken | string {
    const { maxMetadataLength, maxMetadataDepth } = this.#limits;
    const known = this.#known(value);
    if (known === "open") return "expected what JSON can carry, got an object that contains itself";
    if (path.length + (known?.levels ?? 1) > maxMetadataDepth) {
      return ofAll(path, `expected at most ${maxMetadataDepth} levels, got more`);
    }
    const tooLong = `expected at most ${maxMetadataLength} characters, keys included, got more`;
    if (known !== undefined) {
      this.#length += known.length;
      return this.#length > maxMetadataLength ? ofAll(path, tooLong) : known;
    }
    this.#taken.set(value, "open");
    const copy = copyParts(value, maxMetadataLength);
    let [length, levels, isMixed] = [0, 1, false];
    for (const key of Array.isArray(copy) ? copy.keys() : Object.keys(copy)) {
      path.push(key);
      const part: unknown = Reflect.get(copy, key);
      if (typeof part === "bigint") return "expected what JSON can carry, got a bigint";
      const added = (typeof key === "string" ? key.length : 0) + measure(part);
      length += added;
      this.#length += added;
      if (this.#length > maxMetadataLength) return ofAll(path, tooLong);
      if (isPlain(part)) {
        const taken = this.#take(part, observation, path);
        if (typeof taken === "string") return taken;
        Reflect.set(copy, key, taken.copy); // its own property, also where it is called `__proto__`
        length += taken.length;
        levels = Math.max(levels, taken.levels + 1);
        isMixed ||= taken.isMixed || taken.observation !== observation;
      }
      path.pop();
    }
    const taken = { copy: Object.freeze(copy), length, levels, observation, isMixed };
    this.#taken.set(value, taken);
    const scope = this.#scope;
    if (scope !== undefined) parts.set(copy, { length, levels, scope, observation, isMixed });
    return taken;
  }

  #known(value: object): Taken | "open" | undefined {
    const known = this.#taken.get(value);
    if (known !== undefined || this.#scope === undefined) return known;
    const part = partIn(this.#scope, value);
    return part === undefined ? undefined : { ...part, copy: value };
  }
}

/** A shallow copy of a plain object or an array; of an array, no more than one item beyond what is too long. */
function copyParts(value: object, maxLength: number): object {
  if (Array.isArray(value)) {
    const count = Math.min(value.length, maxLength + 1);
    return Array.from({ length: count }, (_, index): unknown => value[index]);
  }
  const copy: object = { ...value };
  for (const symbol of Object.getOwnPropertySymbols(copy)) Reflect.deleteProperty(copy, symbol);
  return copy;
}

function measure(value: unknown): number {
  if (typeof value === "string") return value.length;
  return ArrayBuffer.isView(value) ? value.byteLength : valueLength;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}

/** A problem of the whole record, not of one key. */
function ofAll(path: Path, problem: string): string {
  path.length = 0;
  return problem;
}

/** The keys that lead to a part: `.facts.pods[3]`. A key that is not a plain word is not repeated. */
function namePath(path: Path): string {
  let name = "";
  for (const key of path) {
    if (typeof key === "number") name += `[${key}]`;
    else name += /^[\w-]{1,60}$/.test(key) ? `.${key}` : `.(a key of ${key.length} characters)`;
    if (name.length > maxPathLength) return `${name.slice(0, maxPathLength)}…`;
  }
  return name;
}

/**
 * Who observed data of a run, as the router recorded it. Only the router can make data observed: a copy
 * of observed data is not.
 */
export type Observation = LibrarianObservation | CallerObservation;

/** A librarian that this run called returned the data in the `metadata` of its response. */
export interface LibrarianObservation {
  readonly by: "librarian";
  /** Its id. */
  readonly librarian: string;
  /** What it was registered with; empty where it declares none. */
  readonly capabilities: readonly string[];
  /** Epoch milliseconds at which the router took the response. */
  readonly at: number;
}

/** The caller of the run passed the data in, and the application vouches for it: `observed: true`. */
export interface CallerObservation {
  readonly by: "caller";
  /** Epoch milliseconds at which the run began. */
  readonly at: number;
}

import type { InputLimits } from "./input-limits.js";

/** What was taken: a frozen copy, or why the data cannot be carried, with the key and without its value. */
export type TakenData =
  | { readonly data: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/** Maximum sizes of one record of data. */
export type DataLimits = Pick<InputLimits, "maxMetadataLength" | "maxMetadataDepth">;

/** What a value that is neither text nor a buffer counts, in characters. */
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
  /** `undefined`: someone claims it. */
  readonly observation: Observation | undefined;
  /** Something in it was observed by someone else, or is a claim where it is not. */
  readonly isMixed: boolean;
}

/** Everything that runs have taken. Nothing outside this file can add to it, so no one can forge a part. */
const parts = new WeakMap<object, Part>();

/**
 * The run that data belongs to.
 *
 * @beta
 */
export class DataScope {
  #shared: Set<DataScope> | undefined;

  /** Data of another run belongs to this one too: they share a call. */
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
   * Who observed what in data of this run: equal data that others observed is not the same.
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
 * Whether data repeats what someone claims in a run, as the same object: kept for another run, it would
 * look as if the librarian had observed it.
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

/** An object or an array whose parts are being taken. */
interface Frame {
  readonly from: object;
  /** Its parts as they were read; each is replaced when it has been taken. */
  readonly copy: object;
  /** `undefined`: it is an array. */
  readonly keys: readonly string[] | undefined;
  readonly count: number;
  /** Number of its parts that were begun. */
  begun: number;
  length: number;
  levels: number;
  isMixed: boolean;
}

/** A copy that is frozen, or a part that is kept. */
interface Taken extends Pick<Part, "length" | "levels" | "observation" | "isMixed"> {
  readonly copy: object;
}

/**
 * Takes data from code that is not ours, so that no one can change it afterwards: copies plain objects and
 * arrays, reading each once, and freezes the copies. What was taken for the same run before is kept as it
 * is. Objects of other kinds (instances of classes, functions) belong to the application and are kept
 * too.
 *
 * One taker is for the parts of one value: an object that several of them share is copied once.
 */
export class DataTaker {
  readonly #limits: DataLimits;
  readonly #scope: DataScope | undefined;
  readonly #taken = new Map<object, Taken | "open">();

  /** @param scope - The run. None given: everything is copied, and nothing counts as observed. */
  constructor(limits: DataLimits, scope: DataScope | undefined) {
    this.#limits = limits;
    this.#scope = scope;
  }

  /**
   * Takes a record.
   *
   * @param observation - Of what is new in it; `undefined`: someone claims it.
   * @returns A problem for data that is too large or nested too deeply, that JSON cannot carry (a bigint,
   *   an object that contains itself), or that throws while it is read. Never throws.
   */
  take(data: object, observation: Observation | undefined): TakenData {
    const path: Frame[] = [];
    try {
      const known = this.#known(data);
      const taken = known === "open" ? undefined : (known ?? this.#copy(data, observation, path));
      if (taken === undefined || typeof taken === "string") {
        return { problem: `${namePath(path)}: ${taken ?? isCyclic}` };
      }
      const { maxMetadataLength, maxMetadataDepth } = this.#limits;
      if (taken.levels > maxMetadataDepth) return { problem: `: ${tooDeep(maxMetadataDepth)}` };
      if (taken.length > maxMetadataLength) return { problem: `: ${tooLong(maxMetadataLength)}` };
      return { data: taken.copy as Readonly<Record<string, unknown>> }; // of a record
    } catch {
      return { problem: `${namePath(path)}: it threw while it was being read` };
    }
  }

  /** Without recursion: data may be deep. @param path - Where it is, also when there is a problem. */
  #copy(data: object, observation: Observation | undefined, path: Frame[]): Taken | string {
    const { maxMetadataLength, maxMetadataDepth } = this.#limits;
    let length = valueLength;
    this.#open(data, path);
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      if (frame.begun === frame.count) {
        const taken = this.#close(frame, observation);
        path.pop();
        const above = path.at(-1);
        if (above === undefined) return taken;
        put(above, taken, observation);
        continue;
      }
      const value = partAt(frame, frame.begun++);
      const added = (frame.keys?.[frame.begun - 1]?.length ?? 0) + measure(value);
      frame.length += added;
      length += added;
      if (typeof value === "bigint") return "expected what JSON can carry, got a bigint";
      if (isPlain(value)) {
        const known = this.#known(value);
        if (known === "open") return isCyclic;
        if (path.length + (known?.levels ?? 1) > maxMetadataDepth)
          return ofAll(path, tooDeep(maxMetadataDepth));
        if (known === undefined) this.#open(value, path);
        else {
          length += known.length;
          put(frame, known, observation);
        }
      }
      if (length > maxMetadataLength) return ofAll(path, tooLong(maxMetadataLength));
    }
    return isCyclic; // not reached: the first frame returns
  }

  #known(value: object): Taken | "open" | undefined {
    const known = this.#taken.get(value);
    if (known !== undefined || this.#scope === undefined) return known;
    const part = partIn(this.#scope, value);
    return part === undefined ? undefined : { ...part, copy: value };
  }

  #open(value: object, path: Frame[]): void {
    this.#taken.set(value, "open");
    path.push(openFrame(value, this.#limits.maxMetadataLength));
  }

  #close(frame: Frame, observation: Observation | undefined): Taken {
    const { from, copy, length, levels, isMixed } = frame;
    Object.freeze(copy);
    const taken = { copy, length, levels, observation, isMixed };
    this.#taken.set(from, taken);
    const scope = this.#scope;
    if (scope !== undefined) parts.set(copy, { length, levels, scope, observation, isMixed });
    return taken;
  }
}

function openFrame(from: object, maxLength: number): Frame {
  const frame = { from, begun: 0, length: 0, levels: 1, isMixed: false };
  if (Array.isArray(from)) {
    const count = Math.min(from.length, maxLength + 1); // one beyond is too long already
    const copy: unknown[] = [];
    for (let index = 0; index < count; index++) copy.push(from[index]);
    return { ...frame, copy, keys: undefined, count };
  }
  const copy: object = { ...from };
  for (const symbol of Object.getOwnPropertySymbols(copy)) Reflect.deleteProperty(copy, symbol);
  const keys = Object.keys(copy);
  return { ...frame, copy, keys, count: keys.length };
}

function partAt({ copy, keys }: Frame, at: number): unknown {
  return Reflect.get(copy, keys?.[at] ?? at);
}

/** Puts what was taken in the place of the part that was begun last. */
function put(frame: Frame, taken: Taken, observation: Observation | undefined): void {
  const { copy, length, levels, isMixed } = taken;
  const at = frame.begun - 1;
  // Its own property, also where it is called `__proto__`.
  Reflect.set(frame.copy, frame.keys?.[at] ?? at, copy);
  frame.length += length;
  frame.levels = Math.max(frame.levels, levels + 1);
  frame.isMixed ||= isMixed || taken.observation !== observation;
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

const isCyclic = "expected what JSON can carry, got an object that contains itself";

/** A problem of the whole record: no key is to blame. */
function ofAll(path: Frame[], problem: string): string {
  path.length = 0;
  return problem;
}

function tooDeep(levels: number): string {
  return `expected at most ${levels} levels, got more`;
}

function tooLong(characters: number): string {
  return `expected at most ${characters} characters, keys included, got more`;
}

/** The keys that lead to a part: `.facts.pods[3]`. A key that is not a plain word is not repeated. */
function namePath(path: readonly Frame[]): string {
  let name = "";
  for (const { keys, begun } of path) {
    if (begun === 0) break;
    const key = keys?.[begun - 1];
    if (key === undefined) name += `[${begun - 1}]`;
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

/** The caller of the run handed the data in, and the application vouches for it: `observed: true`. */
export interface CallerObservation {
  readonly by: "caller";
  /** Epoch milliseconds at which the run began. */
  readonly at: number;
}

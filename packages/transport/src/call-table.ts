/** Keeps a value while it is in a table. */
interface Place<Value> {
  value: Value | undefined;
}

/**
 * Calls in progress, by id. V8 copies the table of a Map again and again while entries come and go, and each old
 * table keeps what was in it, and the next one, until a full garbage collection: so what it keeps is small.
 */
export class CallTable<Value> {
  readonly #places = new Map<string, Place<Value>>();

  get size(): number {
    return this.#places.size;
  }

  get(id: string): Value | undefined {
    return this.#places.get(id)?.value;
  }

  set(id: string, value: Value): void {
    this.#places.set(id, { value });
  }

  /** Removes a value, unless another one has taken its place. */
  delete(id: string, value: Value): void {
    const place = this.#places.get(id);
    if (place === undefined || place.value !== value) return;
    place.value = undefined;
    this.#places.delete(id);
  }

  *values(): Generator<Value, void> {
    for (const { value } of this.#places.values()) if (value !== undefined) yield value;
  }
}

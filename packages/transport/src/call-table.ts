/** Keeps a value while it is in a table. */
interface Place<Value> {
  value: Value | undefined;
}

/**
 * Calls in progress, by id. While entries come and go, V8 copies the table of a Map, and each old table keeps its
 * entries alive until a full garbage collection. Therefore the Map holds small places, which are emptied, and not the
 * values.
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

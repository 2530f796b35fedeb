/** How near the delegates of an index are in meaning: place -> -1 to 1. Those far away are left out. */
export type Nearness = ReadonlyMap<number, number>;

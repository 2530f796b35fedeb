/** The fields of `T`: those that may be undefined are optional, and defined where they are present. */
export type Defined<T extends object> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Copies an object without its fields that are undefined. Not deep. */
export function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Defined<T>; // the fields left out are optional in it
}

/** Names of the files of `cases` that are for tuning: all but those that are held out. */
export const tuningFiles: readonly string[] = [
  "dev",
  "dev-former",
  "dev-classes",
  "dev-later",
  "dev-later-2",
  "dev-later-3",
  "dev-later-4",
  "dev-later-5",
  "dev-later-6",
  "dev-later-7",
  "dev-breadth",
  "dev-wide",
  "dev-traps",
];

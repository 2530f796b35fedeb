// The package has no types of its own.
declare module "wink-porter2-stemmer" {
  /** @param word - Lower case. */
  function stem(word: string): string;
  export = stem;
}

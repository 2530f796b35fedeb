/**
 * Number of rounds of a random test: all of them in CI, a tenth elsewhere, so that `npm test` is quick.
 *
 * @param all - In CI, 10 or more.
 */
export function roundsOf(all: number): number {
  return process.env.CI === undefined ? Math.ceil(all / 10) : all;
}

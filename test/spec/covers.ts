/**
 * Says which promises a test proves, where its title would become a list of ids.
 *
 * Does nothing when it runs: the coverage test reads the calls.
 *
 * @param ids - Ids of `requirements.yaml`, written as text.
 */
export function covers(...ids: readonly string[]): void {
  void ids;
}

/** A city as it is compared: letter case, width and spaces at the ends do not count. */
export function cityKey(city: string): string {
  return city.normalize("NFKC").trim().toLowerCase();
}

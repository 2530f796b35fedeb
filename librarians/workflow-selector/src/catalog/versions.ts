/**
 * Orders versions as semver does, the older one first: a leading `v` is optional, missing parts are 0, a
 * prerelease comes before its release. Text that is not a version is older than every version.
 */
export function compareVersions(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left === undefined || right === undefined) {
    return left === right ? compareText(a, b) : left === undefined ? -1 : 1;
  }
  for (let at = 0; at < 3; at++) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

/** The latest of some versions. Undefined for none. */
export function latestVersion(versions: readonly string[]): string | undefined {
  return [...versions].sort((a, b) => compareVersions(b, a) || compareText(a, b))[0];
}

/** Orders text by code units, alike everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parseVersion(version: string) {
  const form = /^v?(\d{1,15}(?:\.\d{1,15}){0,2})(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/;
  const [, core, prerelease] = form.exec(version) ?? [];
  if (core === undefined) return undefined;
  return { numbers: core.split(".").map(Number), prerelease };
}

function comparePrereleases(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  const left = a.split(".");
  const right = b.split(".");
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareIdentifiers(left[at], right[at]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const isNumber = (text: string) => /^\d+$/.test(text);
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return compareText(a, b);
}

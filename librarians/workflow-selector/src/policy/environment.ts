import { trimTrailing } from "@constellation/authoring";
/** Names of environments, the strictest environment first. Separators inside a name do not count: `pre-prod` is `preprod`. */
export const environmentNames = {
  production: ["production", "productive", "prod", "prd", "live"],
  staging: [
    "staging",
    "stage",
    "stg",
    "uat",
    "preproduction",
    "preprod",
    "nonproduction",
    "nonprod",
  ],
  test: ["test", "testing", "tst", "qa", "ci"],
  development: ["development", "develop", "dev", "sandbox"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** An environment, whatever name it was given. */
export type Environment = keyof typeof environmentNames;

/** More names, by environment: `{ production: ["blue", "emea"] }`. */
export type EnvironmentNames = Readonly<
  Partial<Record<Environment, readonly string[] | undefined>>
>;

/** The environments, the strictest first. */
export const environments = ["production", "staging", "test", "development"] as const;

/** Reads names of environments. */
export interface EnvironmentReader {
  /**
   * The environment that a text names: `prod`, `production-eu`, `eu_prod2`, letter case aside. A name of production counts
   * anywhere between separators, another one only at the beginning or the end. Of several the strictest counts.
   *
   * @returns Undefined for a name that is not known.
   */
  read(text: string): Environment | undefined;
  /** What an entry's label may be to match: the text itself, and every name of its environment. Lower case. */
  labelsFor(text: string): readonly string[];
}

/** Longest text that is read as a name, in characters; a longer one is not known. */
const maxLength = 256;
/** Maximum number of parts between separators that one name has. */
const maxParts = 3;

/** @param more - Names beside the usual ones. One that is already a stricter environment's stays there. */
export function createEnvironmentReader(more: EnvironmentNames = {}): EnvironmentReader {
  const byName = new Map<string, Environment>();
  for (const one of environments) {
    for (const name of [...environmentNames[one], ...(more[one] ?? [])]) {
      const key = compactName(name);
      if (!byName.has(key)) byName.set(key, one);
    }
  }
  const read = (text: string): Environment | undefined => {
    if (text.length > maxLength) return undefined;
    const parts = splitParts(text);
    const found = new Set<Environment>();
    for (let at = 0; at < parts.length; ) {
      const length = [maxParts, 2, 1].find((size) => nameAt(parts, at, size) !== undefined) ?? 1;
      const name = nameAt(parts, at, length);
      const isAtEdge = at === 0 || at + length === parts.length;
      if (name !== undefined && (name === "production" || isAtEdge)) found.add(name);
      at += length;
    }
    return environments.find((one) => found.has(one));
  };
  const nameAt = (parts: readonly string[], at: number, size: number) => {
    if (at + size > parts.length) return undefined;
    const joined = parts.slice(at, at + size).join("");
    return byName.get(joined) ?? byName.get(trimTrailing(joined, /\d/));
  };
  return {
    read,
    labelsFor(text) {
      const one = read(text);
      const names = one === undefined ? [] : [...byName].filter(([, other]) => other === one);
      return [...new Set([text.trim().toLowerCase(), ...names.map(([name]) => name)])];
    },
  };
}

/** A name without its separators, lower case. */
export function compactName(text: string): string {
  return splitParts(text).join("");
}

function splitParts(text: string): readonly string[] {
  const parts = text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part !== "");
}

import { load } from "js-yaml";

/** The front matter of a page, and the remaining lines. */
export interface FrontMatterSplit {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** As many lines as before; those of the front matter are empty. */
  readonly lines: readonly string[];
  readonly problem?: string;
}

/**
 * Maximum length of front matter: a page that begins with a horizontal rule may have another `---`
 * below.
 */
const maxLines = 1_000;
const maxLength = 10_000;

/** Removes the YAML between two `---` lines, or the TOML between two `+++` lines, at the top of a page. Never throws. */
export function splitFrontMatter(lines: readonly string[]): FrontMatterSplit {
  const mark = /^(---|\+\+\+)\s*$/.exec(lines[0] ?? "")?.[1];
  if (mark === undefined) return { frontMatter: {}, lines };
  const isYaml = mark === "---";
  const ending = isYaml ? /^(?:---|\.\.\.)\s*$/ : /^\+\+\+\s*$/;
  const end = lines.findIndex((line, at) => at > 0 && at <= maxLines && ending.test(line));
  if (end < 0) return { frontMatter: {}, lines };
  const written = lines.slice(1, end);
  const parsed = isYaml ? parseYaml(written.join("\n")) : { value: readTomlStrings(written) };
  // Prose between two rules is not front matter: it stays on the page.
  if (parsed.value === undefined && parsed.problem === undefined) return { frontMatter: {}, lines };
  const blanked = lines.map((line, at) => (at <= end ? "" : line));
  return {
    frontMatter: parsed.value ?? {},
    lines: blanked,
    ...(parsed.problem === undefined ? {} : { problem: parsed.problem }),
  };
}

function parseYaml(source: string): {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
} {
  const problem = "The front matter is not valid YAML; it was left out.";
  if (source.trim() === "") return { value: {} };
  if (source.length > maxLength)
    return { problem: "The front matter is too long; it was left out." };
  try {
    // Without aliases a value cannot grow beyond its text.
    const value: unknown = load(source, { maxDepth: 20, maxAliases: 0 });
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return { value: Object.fromEntries(Object.entries(value)) };
  } catch {
    return /^[\w-]+[ \t]*:/m.test(source) ? { problem } : {};
  }
}

/** The strings of TOML outside of its tables, such as the title. */
function readTomlStrings(lines: readonly string[]): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const line of lines) {
    if (line.startsWith("[")) break;
    const [, key, , value] = /^([\w-]{1,60})\s*=\s*(["'])(.*)\2\s*$/.exec(line) ?? [];
    if (key !== undefined) values[key] = value;
  }
  return values;
}

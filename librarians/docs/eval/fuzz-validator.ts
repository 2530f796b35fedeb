/**
 * Validates generated responses, most of them hostile: nothing throws, nothing hangs, and no citation
 * outside the root is accepted.
 *
 *     node --conditions=@constellation/source --import tsx eval/fuzz-validator.ts
 *     … --count N      how many; 100,000 where not given
 *     … --seed N       where to begin; 1 where not given
 */
import { posix, win32 } from "node:path";
import { parseArgs } from "node:util";
import { createMemoryKnowledgeBase } from "../src/navigator/knowledge-base-view.js";
import { validateNavigatorResponse } from "../src/navigator/validate-navigator-response.js";

/** What {@link fuzzValidator} found. */
export interface FuzzFigures {
  readonly count: number;
  /** Responses found valid. */
  readonly valid: number;
  /** The longest one took, in milliseconds. */
  readonly slowestMs: number;
  readonly slowestSeed: number;
  /** What went wrong, with the seed that shows it again. */
  readonly failures: readonly string[];
}

const outside = [
  "../secret.md",
  "a/../../secret.md",
  "..\\secret.md",
  "/etc/passwd",
  "C:\\secret.md",
  "c:secret.md",
  "%2e%2e/secret.md",
  "a/%2E%2e%2fsecret.md",
  "https://example.com/a.md",
  "file:///etc/passwd",
  "~/secret.md",
  "a.md\0.png",
  "\u2025/secret.md",
  "．．/secret.md",
  "a／../secret.md",
  "./../secret.md",
  "a/ ../secret.md",
  "a/.. /secret.md",
  "a/.../secret.md",
  "//host/share.md",
  "\\\\host\\share.md",
  "a//b.md",
  "A.MD",
  "a.md/",
  " a.md",
  "a.md\u202E",
];

const inside = ["a.md", "guide/ssl.md", "guide/limits.md"];

/** A view that swears that everything is there: only the validator is between. */
const base = createMemoryKnowledgeBase({
  "a.md":
    "# A\n\nSet `honor_labels` to true with `--web.enable-lifecycle`. It waits 5m, since v2.26.0.\n",
  "guide/ssl.md":
    "# SSL\n\n## Certificates\n\nUse `kubectl rollout undo`. See https://docs.acme.io/v1/ssl.\n",
  "guide/limits.md": "# Limits\n\n```yaml\nspec:\n  syncPolicy:\n    limit: 10MB\n```\n",
});
const lenient = {
  ...base,
  files: () => [...base.files(), ...outside],
  hasFile: () => true,
};

const pieces = [
  ..."`|```|~~~|\n|\n\n| |.|,|:|;|/|\\|-|--|_|@|#|$|{|}|{{|}}|<|>|(|)|[|]|\"|'|%|*|=|&|&&|?|!".split(
    "|",
  ),
  ..."a.md guide/ssl.md honor_labels --web.enable-lifecycle 5m 5 minutes v2.26.0 kubectl rollout undo".split(
    " ",
  ),
  ..."argocd app sync --prune -n shop arn:aws:iam::123456789012:role/x arn:aws: http:// https://a.b/c".split(
    " ",
  ),
  ..."spec.syncPolicy.limit reply.send() FOO_BAR $HOME 1,000 10MB 15-20% 1h30m 2024-01-15 and/or CI/CD".split(
    " ",
  ),
  ..."Node.js e.g. I don't have information about the docs do not cover nothing found Error: failed to".split(
    " ",
  ),
  ..."１２ ｋｕｂｅ İ ß \u0000 \u200b \u202e 🙂 漢字 é́ \ud800".split(" "),
];

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function responseFrom(seed: number): { value: unknown; query: string } {
  const random = randomFrom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T; // never an empty list
  const text = (most: number): string => {
    const kind = random();
    if (kind < 0.1) return pick(pieces).repeat(1 + below(most * 4));
    if (kind < 0.2) return (pick(pieces) + pick(pieces)).repeat(1 + below(most * 2));
    const blank = pick(["", " ", " ", "\n"]);
    return Array.from({ length: below(most) }, () => pick(pieces)).join(blank);
  };
  const odd = (): unknown =>
    pick([null, undefined, 1, Number.NaN, true, [], {}, "", () => 1, Symbol.iterator, 1n]);
  const file = () => {
    const kind = random();
    if (kind < 0.4) return pick(inside);
    if (kind < 0.8) return pick(outside);
    return `${pick(["", "../", "..\\", "/", "%2e%2e/", "a/", "\0"])}${text(4)}${pick(["", ".md", "/..", "/../x.md"])}`;
  };
  const maybe = (value: unknown): unknown => (random() < 0.03 ? odd() : value);
  const source = () => ({
    file: maybe(file()),
    section: maybe(random() < 0.5 ? pick(["A", "Certificates", "Limits", "", "#ssl"]) : text(6)),
    relevance: maybe(text(6)),
  });
  const value = {
    answer: maybe(text(random() < 0.05 ? 2_000 : 60)),
    sources: maybe(Array.from({ length: below(5) }, () => maybe(source()))),
    confidence: maybe(pick(["high", "medium", "low"])),
    confidenceReason: maybe(random() < 0.7 ? "Stated in the cited section in full" : text(8)),
    ...(random() < 0.5 && { relatedTopics: maybe([maybe(text(4))]) }),
    outOfDomain: maybe(random() < 0.2),
  };
  return { value: random() < 0.02 ? odd() : value, query: random() < 0.5 ? "" : text(20) };
}

/** Validates as many generated responses, from a seed on. */
export function fuzzValidator(count: number, firstSeed = 1): FuzzFigures {
  const failures: string[] = [];
  let valid = 0;
  let slowestMs = 0;
  let slowestSeed = firstSeed;
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { value, query } = responseFrom(seed);
    const started = performance.now();
    try {
      const found = validateNavigatorResponse(value, seed % 2 === 0 ? base : lenient, { query });
      if (found.valid) valid++;
      for (const [order, { file }] of (found.response?.sources ?? []).entries()) {
        const isRefused = found.errors.some(({ field }) => field === `sources[${order}].file`);
        if (!isRefused && leavesRoot(file))
          failures.push(`seed ${seed}: accepted ${JSON.stringify(file)}`);
      }
    } catch (thrown) {
      failures.push(`seed ${seed}: threw ${String(thrown)}`);
    }
    const tookMs = performance.now() - started;
    if (tookMs > slowestMs) [slowestMs, slowestSeed] = [tookMs, seed];
  }
  return { count, valid, slowestMs, slowestSeed, failures };
}

/** Judged by other means than the validator's: where the path leads, on either kind of system, decoded or not. */
function leavesRoot(file: string): boolean {
  const decoded = [file, file.normalize("NFKC")];
  try {
    decoded.push(decodeURIComponent(file));
  } catch {
    // Not URL-encoded.
  }
  return decoded.some(
    (path) =>
      path.includes("\0") ||
      posix.isAbsolute(path) ||
      win32.isAbsolute(path) ||
      /^[a-z]+:/i.test(path) ||
      posix.normalize(path).startsWith("..") ||
      win32.normalize(path).startsWith(".."),
  );
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { count: { type: "string" }, seed: { type: "string" } },
  });
  const { failures, slowestMs, ...figures } = fuzzValidator(
    Number(values.count ?? 100_000),
    Number(values.seed ?? 1),
  );
  console.log({ ...figures, slowestMs: Math.round(slowestMs), failures: failures.length });
  for (const failure of failures.slice(0, 20)) console.log(failure);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

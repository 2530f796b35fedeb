import type { TokenLocation } from "../evidence/evidence.js";
import type { SectionText } from "../evidence/section-text.js";
import { matches, type Pattern } from "./pattern.js";

/** `v1.5.2`, `2.26`, `1.5.x`, `3.0.0-rc.1`, `release-1.6`; not `10.0.0.1`, `0.5%`, `1.5s`. */
const form =
  /(?<![\w.$€£])(?<!\d[-–])v?\d{1,9}\.\d{1,9}(?:\.(?:\d{1,9}|x\b))?(?:[-+](?:alpha|beta|rc|dev|preview|next)[\w.]{0,20})?(?![\w%])(?!\.\d)(?!\s?(?:%|percent\b|(?:ns|us|µs|ms|s|m|h|d|[kmgt]i?b|bytes?|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?|milliseconds?)\b))|(?<![\w.])v\d{1,4}(?:\.x)?(?![\w.]*\w)/gi;

/** Versions, with or without `v`. */
export const versionPattern: Pattern = {
  kind: "version",
  noun: "the version",
  mustBeCited: true,
  extract: ({ text }) => [...matches(form, text)],
  find({ text }, { cited }): TokenLocation {
    const wanted = normaliseVersion(text);
    return cited.some((section) =>
      section.fact(findVersions).some((known) => isSame(known, wanted)),
    )
      ? "cited"
      : "nowhere";
  },
  key: ({ text }) => normaliseVersion(text),
};

/** Finds versions, including those in a longer word, a link or a range. */
function findVersions({ raw, section, file }: SectionText): readonly string[] {
  const text = `${file} ${section.anchor ?? ""} ${raw}`;
  const found = text.match(
    /(?<!\d)\d{1,9}(?:\.(?:\d{1,9}|x\b)){1,3}(?:[-+](?:alpha|beta|rc|dev|preview|next)[\w.]{0,20})?|v\d{1,4}(?!\d|\.(?:\d|x\b))/gi,
  );
  return [...new Set((found ?? []).map(normaliseVersion))];
}

function normaliseVersion(version: string): string {
  return version.toLowerCase().replace(/^v/, "").replace(/\.x$/, "").replace(/\.$/, "");
}

/**
 * Whether a documented version supports another: `2.26.0` and `2.26.3` support `2.26`, `2.26`
 * supports `2.26.0`, and `3.1` supports `3`. `2.26` does not support `2.26.3`.
 */
function isSame(known: string, wanted: string): boolean {
  return (
    known === wanted ||
    known.startsWith(`${wanted}.`) ||
    known.startsWith(`${wanted}-`) ||
    known === withoutZeros(wanted)
  );
}

/** Shortens `3.0.0` to `3`. */
function withoutZeros(version: string): string {
  let end = version.length;
  while (version.endsWith(".0", end)) end -= 2;
  return version.slice(0, end);
}

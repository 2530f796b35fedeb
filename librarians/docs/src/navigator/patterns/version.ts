import type { Standing } from "../evidence/evidence.js";
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
  find({ text }, { cited }): Standing {
    const wanted = plain(text);
    return cited.some((section) => section.fact(versionsOf).some((known) => isSame(known, wanted)))
      ? "cited"
      : "nowhere";
  },
  key: ({ text }) => plain(text),
};

/** Also those that are in a longer word, a link or a range: what is there cannot be made up. */
function versionsOf({ raw, section, file }: SectionText): readonly string[] {
  const text = `${file} ${section.anchor ?? ""} ${raw}`;
  const found = text.match(
    /(?<!\d)\d{1,9}(?:\.(?:\d{1,9}|x\b)){1,3}(?:[-+](?:alpha|beta|rc|dev|preview|next)[\w.]{0,20})?|v\d{1,4}(?!\d|\.(?:\d|x\b))/gi,
  );
  return [...new Set((found ?? []).map(plain))];
}

function plain(version: string): string {
  return version.toLowerCase().replace(/^v/, "").replace(/\.x$/, "").replace(/\.$/, "");
}

/**
 * `2.26` is there where `2.26.0` or `2.26.3` is; `2.26.0` also where `2.26` is, and `3` where `3.1`
 * is. `2.26.3` is not there where only `2.26` is.
 */
function isSame(known: string, wanted: string): boolean {
  return (
    known === wanted ||
    known.startsWith(`${wanted}.`) ||
    known.startsWith(`${wanted}-`) ||
    known === withoutZeros(wanted)
  );
}

/** `3.0.0` is `3`. */
function withoutZeros(version: string): string {
  let end = version.length;
  while (version.endsWith(".0", end)) end -= 2;
  return version.slice(0, end);
}

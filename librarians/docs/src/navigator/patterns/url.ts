import { trimTrailing } from "@constellation/core/authoring";
import { type Evidence, loosely, type Standing } from "../evidence/evidence.js";
import type { SectionText } from "../evidence/section-text.js";
import { matches, type Pattern, withoutPunctuation } from "./pattern.js";

const form =
  /\bhttps?:\/\/[^\s"'`<>()[\]|\\^]{1,1000}(?:\([^\s"'`<>()]{0,200}\)[^\s"'`<>()[\]|\\^]{0,200})?/gi;

/** Hosts that represent the reader's own. */
const ownHost =
  /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1\]?|.*\.(?:local|localhost|test|invalid|internal)|(?:.*\.)?example(?:\.\w+)?|(?:.*\.)?(?:example|mycompany|mydomain|yourdomain|your-domain|your-company)\.\w+|(?:your|my)[-.].*)(?::\d{1,5})?$/i;

/** Addresses on the web. */
export const urlPattern: Pattern = {
  kind: "url",
  noun: "the URL",
  mustBeCited: false,
  extract: ({ text }) =>
    [...matches(form, text)]
      .map((token) => withoutPunctuation(token, /[.,;:!?*_~]/))
      .filter((token) => token.text.length > 8),
  find({ text }, evidence): Standing {
    const whole = shorten(text);
    const wanted = normalise(text);
    if (whole !== wanted) {
      const exact = evidence.find(wordsOf(whole), (section) =>
        section.fact(wholeUrlsOf).has(whole),
      );
      if (exact !== "nowhere") return exact;
      if (evidence.cited.some((section) => hasOtherEnding(section, wanted))) return "nowhere";
    }
    const found = evidence.find(wordsOf(wanted), (section) =>
      section.fact(urlsOf).some((url) => isPrefix(wanted, url)),
    );
    if (found !== "nowhere") return whole === wanted ? found : loosely(found);
    const [host = "", ...path] = wanted.split("/");
    if (ownHost.test(host)) return findRoute(path, evidence);
    const open = withoutVersions(wanted);
    return loosely(
      evidence.find(wordsOf(open), (section) =>
        section.fact(urlsOf).some((url) => isPrefix(open, withoutVersions(url))),
      ),
    );
  },
};

/** What a reader's own host is asked for must be documented, on whatever host, or as a route. */
function findRoute(path: readonly string[], evidence: Evidence): Standing {
  if (path.length === 0) return "cited";
  const route = `/${path.join("/")}`;
  return evidence.find(
    wordsOf(route),
    (section) =>
      isRouteIn(section.folded, route) ||
      section.fact(urlsOf).some((url) => {
        const slash = url.indexOf("/");
        return slash > 0 && isPrefix(route, url.slice(slash)) && ownHost.test(url.slice(0, slash));
      }),
  );
}

/** Whether a route stands by itself, not as the end of a longer path. */
function isRouteIn(text: string, route: string): boolean {
  for (let at = text.indexOf(route); at !== -1; at = text.indexOf(route, at + 1)) {
    const isOpen = !/[\w/.}>)-]/.test(text.charAt(at - 1));
    if (isOpen && !/[\w-]/.test(text.charAt(at + route.length))) return true;
  }
  return false;
}

function urlsOf(section: SectionText): readonly string[] {
  return [...section.fact(wholeUrlsOf)].map(normalise);
}

function wholeUrlsOf({ raw }: SectionText): ReadonlySet<string> {
  return new Set([...matches(form, raw)].map(({ text }) => shorten(text)));
}

/** Whether a section has a page with another query or anchor than the answer gives it. */
function hasOtherEnding(section: SectionText, page: string): boolean {
  if (ownHost.test(page.split("/")[0] ?? "")) return false; // what is asked of it is the reader's own
  return [...section.fact(wholeUrlsOf)].some((url) => url !== page && normalise(url) === page);
}

/** Without scheme, and without the punctuation and the slash at its end. */
function shorten(url: string): string {
  const page = trimTrailing(url.replace(/^https?:\/\//i, ""), /[.,;:!?*_~]/);
  return trimTrailing(page, /\//).toLowerCase();
}

/** Host and path, without scheme, query, anchor and closing slash. */
function normalise(url: string): string {
  return trimTrailing(shorten(url).replace(/[?#].*/s, ""), /\//);
}

/** `/v1.2/`, `/latest/` and `/master/` name one place at different times. */
function withoutVersions(url: string): string {
  return url
    .split("/")
    .filter((part, index) => index === 0 || !version.test(part))
    .join("/");
}

const version =
  /^(?:v?\d{1,5}(?:\.(?:\d{1,5}|x)){0,3}|latest|stable|master|main|head|current|next)$/;

/** Whether one address is another one, or a folder above it. */
function isPrefix(folder: string, url: string): boolean {
  return url.startsWith(folder) && (url.length === folder.length || url[folder.length] === "/");
}

function wordsOf(url: string): string {
  return url.replaceAll(/%[0-9a-f]{2}/g, " ");
}

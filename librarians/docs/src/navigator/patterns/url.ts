import { trimTrailing } from "@constellation/authoring";
import { type Evidence, loosely, type TokenLocation } from "../evidence/evidence.js";
import type { SectionText } from "../evidence/section-text.js";
import { matches, type Pattern, withoutPunctuation } from "./pattern.js";

const form =
  /\bhttps?:\/\/[^\s"'`<>()[\]|\\^]{1,1000}(?:\([^\s"'`<>()]{0,200}\)[^\s"'`<>()[\]|\\^]{0,200})?/gi;

/** Hosts that are placeholders for the reader's own. */
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
  find({ text }, evidence): TokenLocation {
    const whole = shorten(text);
    const wanted = normalise(text);
    if (whole !== wanted) {
      const exact = evidence.find(decodeToWords(whole), (section) =>
        section.fact(readUrls).has(whole),
      );
      if (exact !== "nowhere") return exact;
      if (evidence.cited.some((section) => hasOtherEnding(section, wanted))) return "nowhere";
    }
    const found = evidence.find(decodeToWords(wanted), (section) =>
      section.fact(findUrls).some((url) => isPrefix(wanted, url)),
    );
    if (found !== "nowhere") return whole === wanted ? found : loosely(found);
    const [host = "", ...path] = wanted.split("/");
    if (ownHost.test(host)) return findRoute(path, evidence);
    const open = withoutVersions(wanted);
    return loosely(
      evidence.find(decodeToWords(open), (section) =>
        section.fact(findUrls).some((url) => isPrefix(open, withoutVersions(url))),
      ),
    );
  },
};

/** The path of a placeholder host must be documented, on any host or as a route. */
function findRoute(path: readonly string[], evidence: Evidence): TokenLocation {
  if (path.length === 0) return "cited";
  const route = `/${path.join("/")}`;
  return evidence.find(
    decodeToWords(route),
    (section) =>
      isRouteIn(section.folded, route) ||
      section.fact(findUrls).some((url) => {
        const slash = url.indexOf("/");
        return slash > 0 && isPrefix(route, url.slice(slash)) && ownHost.test(url.slice(0, slash));
      }),
  );
}

/** Whether a route occurs by itself, not as the end of a longer path. */
function isRouteIn(text: string, route: string): boolean {
  for (let at = text.indexOf(route); at !== -1; at = text.indexOf(route, at + 1)) {
    const isOpen = !/[\w/.}>)-]/.test(text.charAt(at - 1));
    if (isOpen && !/[\w-]/.test(text.charAt(at + route.length))) return true;
  }
  return false;
}

function findUrls(section: SectionText): readonly string[] {
  return [...section.fact(readUrls)].map(normalise);
}

function readUrls({ raw }: SectionText): ReadonlySet<string> {
  return new Set([...matches(form, raw)].map(({ text }) => shorten(text)));
}

/** Whether a section has the same page with another query or anchor. */
function hasOtherEnding(section: SectionText, page: string): boolean {
  if (ownHost.test(page.split("/")[0] ?? "")) return false; // what is asked of it is the reader's own
  return [...section.fact(readUrls)].some((url) => url !== page && normalise(url) === page);
}

/** Removes the scheme, and the punctuation and the slash at the end. */
function shorten(url: string): string {
  const page = trimTrailing(url.replace(/^https?:\/\//i, ""), /[.,;:!?*_~]/);
  return trimTrailing(page, /\//).toLowerCase();
}

/** Host and path, without scheme, query, anchor and closing slash. */
function normalise(url: string): string {
  return trimTrailing(shorten(url).replace(/[?#].*/s, ""), /\//);
}

/** Treats `/v1.2/`, `/latest/` and `/master/` as one place. */
function withoutVersions(url: string): string {
  return url
    .split("/")
    .filter((part, index) => index === 0 || !version.test(part))
    .join("/");
}

const version =
  /^(?:v?\d{1,5}(?:\.(?:\d{1,5}|x)){0,3}|latest|stable|master|main|head|current|next)$/;

/** Whether two addresses are equal, or the first is a folder above the second. */
function isPrefix(folder: string, url: string): boolean {
  return url.startsWith(folder) && (url.length === folder.length || url[folder.length] === "/");
}

function decodeToWords(url: string): string {
  return url.replaceAll(/%[0-9a-f]{2}/g, " ");
}

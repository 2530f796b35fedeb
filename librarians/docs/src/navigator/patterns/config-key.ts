import { type Evidence, loosely, type TokenLocation } from "../evidence/evidence.js";
import { readKeyPaths } from "./key-paths.js";
import { isPlaceholder, matches, type Pattern, type Token, withoutPunctuation } from "./pattern.js";

const forms: readonly RegExp[] = [
  // argocd.argoproj.io/sync-wave: a label or an annotation
  /(?<![\w/@:.-])(?:[a-z][a-z0-9-]{0,60}\.){1,6}[a-z]{2,12}\/[a-zA-Z][\w.-]{0,80}(?![\w/])/g,
  // spec.syncPolicy.automated, reply.send(), .spec.containers[0].image
  /(?<![\w/@:-])\.?[a-zA-Z_$][\w$-]{0,80}(?:\[[\w*]{0,20}\])?(?:\.[a-zA-Z_$][\w$-]{0,80}(?:\[[\w*]{0,20}\])?){1,15}(?:\(\))?(?![\w/]|\.?[\w.-]{1,80}\/)/g,
];

/** Abbreviations, and products with a dot in their names. */
const prose =
  /^(?:e\.g|i\.e|a\.k\.a|etc\..*|vs\..*|(?:node|next|vue|nuxt|express|react|d3|three|socket|web)\.(?:js|io)|asp\.net|.*\.(?:e\.g|i\.e))$/i;

/** Keys of configuration, members of objects, labels: names with dots. */
export const configKeyPattern: Pattern = {
  kind: "config-key",
  noun: "the key",
  mustBeCited: false,
  extract: ({ text }) =>
    forms.flatMap((form) =>
      [...matches(form, text)]
        .map((token) => withoutPunctuation(token, /[.,;:!?-]/))
        .filter(({ text: key }) => key.includes(".", 1) && !prose.test(key))
        .filter(
          ({ text: key }) =>
            !isPlaceholder(key) && !/(?:^|\.)example\.(?:com|org|net|io|dev|local)\b/i.test(key),
        ),
    ),
  find: findKey,
  key: (token) => normaliseKey(token).toLowerCase(),
};

function findKey(token: Token, evidence: Evidence): TokenLocation {
  const key = normaliseKey(token);
  const written = evidence.findText(key);
  if (written !== "nowhere") return written;

  const parts = key.replaceAll(/\[[\w*]{0,20}\]/g, "").split(".");
  const path = parts.join(".").toLowerCase();
  const nested = evidence.find(path, (section) => section.fact(readKeyPaths).has(path));
  if (nested !== "nowhere") return nested;

  // `fastify.childLoggerFactory`, where the docs name the member under another receiver: a name of
  // several words is rarely another thing.
  const last = parts.at(-1) ?? "";
  const isTelling = /[a-z][A-Z]|_[a-z]/.test(last);
  return isTelling ? loosely(evidence.findText(last)) : "nowhere";
}

function normaliseKey({ text }: Token): string {
  return text.replace(/^\./, "").replace(/\(\)$/, "");
}

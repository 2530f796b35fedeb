import { trimTrailing } from "@constellation/core/authoring";
import type { RAGCountry } from "../contract/rag-response.js";
import { countries, servedCountries } from "../country/countries.js";
import { wholeWords } from "../country/whole-words.js";
import { findForbidden } from "../rules/content-rules.js";
import type { AskedPlace } from "./question.js";

/** A place that stands in a text, and the country it is in. */
export interface FoundPlace extends AskedPlace {
  readonly country: RAGCountry;
  readonly index: number;
}

interface Form {
  readonly country: RAGCountry;
  readonly names: readonly string[];
  readonly form: RegExp;
}

const cities = formsOf((country) =>
  countries[country].places.map(({ name, aliases = [] }) => [name, ...aliases]),
);
const regions = formsOf((country) => countries[country].regions.map((name) => [name]));
/** Cities whose names are words: they count with a capital letter only. */
const wordLike =
  /^(?:bath|reading|hull|derby|surat|york|mobile|phoenix|boise|charlotte|columbus|thane)$/i;

/**
 * Finds every known city of a text, and every state, the longest name first where two overlap.
 */
export function findPlaces(text: string): {
  readonly cities: readonly FoundPlace[];
  readonly regions: readonly FoundPlace[];
} {
  return {
    cities: matches(text, cities),
    regions: matches(text, regions).map((region) => ({ ...region, isRegion: true })),
  };
}

/** Reads the name of a place that no list has: capitalised words after "in", "at", "near" or "for", or a word before a country. */
export function findUnknownPlace(text: string): AskedPlace | undefined {
  const [, name = ""] =
    /\b(?:in|at|near|around|of|for|from)\s+((?:\p{Lu}[\p{L}'.-]+)(?:\s+\p{Lu}[\p{L}'.-]+){0,3})/u.exec(
      text,
    ) ?? [];
  const [, lower = ""] =
    name === ""
      ? (/\b(?:in|near) (\p{Ll}{4,30}), ?(?:in )?(?:india|u\.?k|u\.?s|usa|england|scotland|wales|america)\b/iu.exec(
          text,
        ) ?? [])
      : [];
  const bare = trimTrailing(name || lower, /[.,'-]/);
  return bare === "" || isCommon(bare) || findForbidden(bare).length > 0
    ? undefined
    : { name: bare, names: [bare] };
}

function matches(text: string, forms: readonly Form[]): readonly FoundPlace[] {
  const found: { place: FoundPlace; end: number }[] = [];
  for (const { country, names, form } of forms) {
    for (const match of text.matchAll(form)) {
      const [written] = match;
      if (wordLike.test(written) && !/^\p{Lu}/u.test(written)) continue;
      const place = {
        name: names[0] ?? written,
        names: [...new Set([written, ...names])],
        country,
        index: match.index,
      };
      found.push({ place, end: match.index + written.length });
    }
  }
  const isInside = (one: (typeof found)[number]) =>
    found.some(
      (other) =>
        other !== one &&
        other.place.index <= one.place.index &&
        other.end >= one.end &&
        other.end - other.place.index > one.end - one.place.index,
    );
  return found
    .filter((one) => !isInside(one))
    .map(({ place }) => place)
    .sort((a, b) => a.index - b.index);
}

function formsOf(
  namesIn: (country: RAGCountry) => readonly (readonly string[])[],
): readonly Form[] {
  return servedCountries.flatMap((country) =>
    namesIn(country).map((names) => ({
      country,
      names,
      form: wholeWords(names, "giu"),
    })),
  );
}

function isCommon(name: string): boolean {
  return /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Q[1-4]|RERA|HOA|EPC|BHK|INR|USD|GBP|The|A|An)$/i.test(
    name,
  );
}

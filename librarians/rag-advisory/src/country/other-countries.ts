import { citiesAbroad, wholeWords } from "./countries.js";

/** Regions of the standard that are served, that are states of a served country, or that are common words. */
const leftOut: ReadonlySet<string> = new Set("IN US GB GE UM TD JO JE GG IM".split(" "));

let known: { readonly form: RegExp; readonly countries: ReadonlyMap<string, string> } | undefined;

/** Finds a country that is not served: its name, or that of a city of it. */
export function findOtherCountry(
  text: string,
): { readonly name: string; readonly index: number } | undefined {
  known ??= readNames();
  const found = known.form.exec(text);
  if (found === null) return undefined;
  const name = known.countries.get(found[0].toLowerCase());
  return name === undefined ? undefined : { name, index: found.index };
}

function readNames() {
  const names = allNames();
  const namesByLength = names.map(([name]) => name).sort((a, b) => b.length - a.length);
  const countries = new Map(names.map(([name, country]) => [name.toLowerCase(), country]));
  return { form: wholeWords(namesByLength, "iu"), countries };
}

/** Every country of ISO 3166 by its English name, from the runtime's own table. */
function allNames(): readonly (readonly [name: string, country: string])[] {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const standard = letters.flatMap((first) =>
    letters.flatMap((second) => {
      const code = `${first}${second}`;
      const isLeftOut = leftOut.has(code) || /^(?:A[A]|Q[M-Z]|X|ZZ|EU|EZ|UN|UK)/.test(code);
      const name = isLeftOut ? undefined : names.of(code);
      return name === undefined ? [] : [[name, name] as const];
    }),
  );
  const abroad = Object.entries(citiesAbroad).flatMap(([country, cities]) =>
    cities.split(", ").map((city) => [city, country] as const),
  );
  return [...standard, ...abroad];
}

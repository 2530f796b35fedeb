import { fieldData } from "../fields/table.js";
import { placesAt } from "../fields/template.js";
import { toWords } from "../question/words.js";
import { denied, type Filter, isDenied } from "./filter.js";

/** Words of administrators for what fields or labels of a kind say: "headless services", "worker nodes". */
export function termsIn(query: string): readonly Filter[] {
  const text = ` ${toWords(query.toLowerCase()).join(" ")} `;
  return fieldData.terms.flatMap((row) => {
    const said = row.words
      .split(",")
      .find((words) => text.includes(` ${words} `) || text.includes(` ${words}s `));
    if (said === undefined) return [];
    const { kinds, at, is, keys: own, not = false } = row;
    const filter: Filter = {
      text: said,
      test: (object) => {
        if (!kinds.includes(object.kind)) return undefined;
        const { labels, annotations } = object.metadata;
        const holds =
          own?.some((key) =>
            is === undefined ? labels?.[key] !== undefined : annotations?.[key] === is,
          ) ?? placesAt({ value: object }, at ?? "").some(({ value }) => value === is);
        return holds !== not;
      },
    };
    return [isDenied(said, query) ? denied(filter) : filter];
  });
}

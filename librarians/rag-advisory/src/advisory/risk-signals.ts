import type { RAGRiskSignal, RAGRiskType, RAGSeverity } from "../contract/rag-response.js";
import type { CountryConventions } from "../country/countries.js";
import type { Question } from "../question/question.js";
import { readForms } from "../question/subject-words.js";
import { namesOfSources } from "./citation.js";
import { budgetPrice, type Comparables } from "./comparables.js";
import { printFigure } from "./figures.js";
import type { Statement } from "./statements.js";

/** Most risks of one advisory. */
const riskLimit = 6;

const kinds = readForms<RAGRiskType>("risks");
const severities = new Map(readForms<"severe" | "mild" | "denied">("severity"));
const says = (name: "severe" | "mild" | "denied", text: string) =>
  severities.get(name)?.test(text) === true;

/** Reads risks from what sources say, and from how a named price lies to comparable ones. */
export function findRisks(
  statements: readonly Statement[],
  question: Question,
  comparables: Comparables | undefined,
  conventions: CountryConventions,
): readonly RAGRiskSignal[] {
  const price = priceRisk(question, comparables, conventions);
  const stated = statements.flatMap(({ text, source }): RAGRiskSignal[] => {
    const type = kinds.find(([, form]) => form.test(text))?.[0];
    if (type === undefined || isDenied(text, type)) return [];
    return [{ type, severity: readSeverity(text), description: text, source }];
  });
  return [...(price === undefined ? [] : [price]), ...stated].slice(0, riskLimit);
}

function priceRisk(
  question: Question,
  comparables: Comparables | undefined,
  conventions: CountryConventions,
): RAGRiskSignal | undefined {
  if (comparables === undefined || comparables.isFew) return undefined;
  const { measure, spread } = comparables;
  const asked = budgetPrice(question, measure);
  if (asked === undefined) return undefined;
  const { q1, q3, median, count, minimum: least, maximum: most } = spread;
  const isAbove = asked > q3;
  if (!isAbove && asked >= q1) return undefined;
  const fence = 1.5 * (q3 - q1);
  const isOutlying = asked > q3 + fence || asked < q1 - fence;
  const isBeyond = asked > most || asked < least;
  const percent = Math.round(Math.abs(asked / median - 1) * 100);
  return {
    type: "PRICE",
    severity: isOutlying ? "HIGH" : isBeyond ? "MEDIUM" : "LOW",
    description: `${printFigure(asked, measure, conventions)} is ${percent} % ${isAbove ? "above" : "below"} the median of ${count} comparable data rows, and outside their middle half.`,
    source: namesOfSources(comparables.rows.map(({ chunk }) => chunk)),
  };
}

function readSeverity(text: string): RAGSeverity {
  if (says("severe", text)) return "HIGH";
  return says("mild", text) ? "LOW" : "MEDIUM";
}

/** "No flooding was recorded" is not a risk. */
function isDenied(text: string, type: RAGRiskType): boolean {
  const at = text.search(kinds.find(([kind]) => kind === type)?.[1] ?? /$^/);
  return says("denied", text.slice(Math.max(0, at - 30), at));
}

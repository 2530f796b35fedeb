import type { RAGRiskSignal, RAGRiskType, RAGSeverity } from "../contract/rag-response.js";
import type { CountryConventions } from "../country/countries.js";
import type { Question } from "../question/question.js";
import { namesOfSources } from "./citation.js";
import { budgetPrice, type Comparables } from "./comparables.js";
import { printFigure } from "./figures.js";
import type { Statement } from "./statements.js";

/** Most risks of one advisory. */
const riskLimit = 6;

const kinds: readonly (readonly [type: RAGRiskType, form: RegExp])[] = [
  [
    "LEGAL",
    /\b(?:litigation|title disputes?|disputed|encumbrances?|encroach\w+|lawsuits?|court|stay order|forger\w+|fraud\w*|lien|unapproved|unauthori[sz]ed)\b/i,
  ],
  [
    "REGULATORY",
    /\b(?:rera registration|must be registered|registration (?:is )?(?:required|verified|mandatory)|licen[cs](?:e|ing) (?:is )?required|zoning|coastal regulation|crz|rent (?:cap|control|stabili[sz]ation)|minimum epc|short-term rental (?:rules|permits?)|leasehold reform|penalt(?:y|ies)|deregistered|cladding|ews1)\b/i,
  ],
  [
    "LOCATION",
    /\b(?:flood\w*|cyclones?|earthquakes?|seismic|wildfires?|subsidence|coastal erosion|pollution|contaminat\w+|landslides?|storm surge|hurricanes?|tornado\w*|radon|mining)\b/i,
  ],
  [
    "MARKET",
    /\b(?:oversuppl\w+|over-suppl\w+|unsold|vacanc(?:y|ies) (?:rate )?(?:rose|increas\w+|above|of)|inventory (?:rose|increas\w+|climb\w+)|slow(?:ed|ing)? sales|demand (?:fell|declin\w+|weaken\w+)|longer to sell)\b/i,
  ],
  [
    "PRICE",
    /\b(?:prices? (?:fell|declin\w+|dropp\w+|are volatile)|price (?:falls?|drops?|volatility|cuts?)|overvalu\w+|price reductions?)\b/i,
  ],
];
const severe =
  /\b(?:severe|high[- ]risk|very high|major|serious|critical|extreme|zone (?:a|ae|v|ve|3|3b|v)\b|halted|banned|stay order)/i;
const mild =
  /\b(?:low(?:er)? (?:risk|probability|chance|flood)|minor|slight|small|rare|limited|unlikely)\b/i;
const denied =
  /\b(?:no|not|without|free (?:of|from)|never|none|outside (?:the|any)|resolved|lifted)\b/i;

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
  if (severe.test(text)) return "HIGH";
  return mild.test(text) ? "LOW" : "MEDIUM";
}

/** "No flooding was recorded" is not a risk. */
function isDenied(text: string, type: RAGRiskType): boolean {
  const at = text.search(kinds.find(([kind]) => kind === type)?.[1] ?? /$^/);
  return denied.test(text.slice(Math.max(0, at - 30), at));
}

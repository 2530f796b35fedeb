import { numberWords } from "../spans/number-words.js";

/** A unit of measurement: the same name for all of its spellings, and what it measures. */
export interface Unit {
  readonly name: string;
  readonly dimension: string;
}

/** Spellings by unit, by what they measure; the first spelling names the unit. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  time: [
    "ms millisecond milliseconds millis milisegundos millisekunden",
    "s sec secs second seconds sekunde sekunden segundo segundos",
    "min mins minute minutes minuten minuto minutos",
    "h hr hrs hour hours stunde stunden hora horas",
    "d day days tag tage tagen día días",
    "week weeks woche wochen semana semanas",
    "month months monat monate monaten mes meses",
    "year years jahr jahre jahren año años",
  ],
  data: [
    "b byte bytes",
    "kb kilobyte kilobytes",
    "mb megabyte megabytes",
    "gb gigabyte gigabytes",
    "tb terabyte terabytes",
    "ki kib",
    "mi mib",
    "gi gib",
    "ti tib",
  ],
  share: ["% percent per_cent pct prozent por_ciento"],
  temperature: [
    "°c celsius degrees_celsius grad_celsius grados_celsius",
    "°f fahrenheit degrees_fahrenheit",
  ],
  currency: [
    "eur € euro euros",
    "usd $ us$ dollar dollars us_dollar us_dollars",
    "gbp £ pound pounds libras",
    "inr ₹ rs rupee rupees",
    "chf franken francs",
    "jpy ¥ yen",
  ],
  scale: [
    "lakh lakhs",
    "crore crores",
    "thousand tausend mil",
    "million millions millionen",
    "billion billions",
  ],
  length: [
    "mm millimetre millimetres millimeter millimeters",
    "cm centimetre centimetres centimeter centimeters",
    "m metre metres meter meters metro metros",
    "km kilometre kilometres kilometer kilometers",
    "ft foot feet",
    "inch inches",
    "mile miles",
  ],
  area: [
    "sqm m² sq_m square_metre square_metres square_meter square_meters quadratmeter metros_cuadrados",
    "sqft ft² sq_ft square_foot square_feet",
    "acre acres",
    "ha hectare hectares hektar",
  ],
  mass: [
    "mg milligram milligrams",
    "g gram grams gramm",
    "kg kilogram kilograms",
    "lb lbs",
    "t tonne tonnes",
  ],
  volume: [
    "ml millilitre millilitres milliliter",
    "l litre litres liter liters litros",
    "gallon gallons",
    "m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters kubikmeter metros_cúbicos",
  ],
  frequency: ["hz hertz", "khz kilohertz", "mhz megahertz", "ghz gigahertz"],
  current: ["ma milliamp milliamps milliampere milliamperes", "µa microampere microamperes"],
  power: [
    "w watt watts",
    "kw kilowatt kilowatts",
    "kwh kilowatt_hours kilowattstunden",
    "v volt volts",
    "bar",
    "psi",
  ],
};

const units = new Map<string, Unit>(
  Object.entries(spellings).flatMap(([dimension, lines]) =>
    lines.flatMap((line) => {
      const forms = line.split(" ");
      const unit = { name: forms[0] ?? "", dimension };
      return forms.map((form) => [form.replaceAll("_", " "), unit] as const);
    }),
  ),
);

/** The unit of a word, or of two words with a space between them. */
export function toUnit(text: string): Unit | undefined {
  return units.get(text.toLowerCase());
}

/** Scales in short, as they stand before a currency. */
const shortScales = new Map([
  ["k", "thousand"],
  ["m", "million"],
  ["mn", "million"],
  ["mio", "million"],
  ["bn", "billion"],
  ["mrd", "billion"],
]);

/** "m EUR", "bn USD": a scale, where a currency follows. */
export function readScale(behind: string): Unit | undefined {
  const [, scale = "", next = ""] =
    /^ ?(mn?|bn|k|mio|mrd)\.? (\p{L}{3,8})(?!\p{L})/iu.exec(behind) ?? [];
  const name = shortScales.get(scale.toLowerCase());
  return name !== undefined && toUnit(next)?.dimension === "currency" ? toUnit(name) : undefined;
}

/** What a quantity is counted by, from the text behind its number: " EUR per sq m", " mg/l", " times a day". */
export function readPer(behind: string): Unit | undefined {
  const [, two = "", one = ""] =
    /^(?:[ -]?[\p{L}°€£$%²]{1,14}\.?){0,3}? ?(?:(?:per|an?|each|every|pro|je|al|por|cada) |\/ ?)(?=((\p{L}{1,12}²?)(?: \p{L}{1,12})?))/iu.exec(
      behind,
    ) ?? [];
  return toUnit(two) ?? toUnit(one);
}

const weekdays = [
  "monday mondays montag montags lunes",
  "tuesday tuesdays dienstag dienstags martes",
  "wednesday wednesdays mittwoch mittwochs miércoles",
  "thursday thursdays donnerstag donnerstags jueves",
  "friday fridays freitag freitags viernes",
  "saturday saturdays samstag samstags sonnabend sábado sábados",
  "sunday sundays sonntag sonntags domingo domingos",
].map((line) => line.split(" "));

const shortWeekdays = "Mon Tue Wed Thu Fri Sat Sun".split(" ");

/** The number of a day of the week, from 0 for Monday; a short form begins with a capital: "Sat". */
export function toWeekday(text: string): number | undefined {
  const at = weekdays.findIndex((names) => names.includes(text.toLowerCase()));
  const short = at < 0 ? shortWeekdays.indexOf(text) : at;
  return short < 0 ? undefined : short;
}

const german =
  "_ _ zwei drei vier fünf sechs sieben acht neun zehn _ zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig";
const spanish =
  "cero _ dos tres cuatro cinco seis siete ocho nueve diez _ doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte";
const numbers = new Map<string, number>([
  ["zero", 0],
  ...Object.entries(numberWords),
  ...[german, spanish].flatMap((words) => words.split(" ").map((word, at) => [word, at] as const)),
  ["twice", 2],
]);

/** The value of a number in words: "fourteen". */
export function toNumber(lower: string): number | undefined {
  return numbers.get(lower);
}

const months = [
  "january jan januar enero ene",
  "february feb februar febrero",
  "march mar märz marzo",
  "april apr abril abr",
  "may mai mayo",
  "june jun juni junio",
  "july jul juli julio",
  "august aug agosto",
  "september sep sept septiembre",
  "october oct oktober okt octubre",
  "november nov noviembre",
  "december dec dezember dez diciembre dic",
].map((line) => line.split(" "));

/** The number of a month, 1 to 12. */
export function toMonth(lower: string): number | undefined {
  const at = months.findIndex((names) => names.includes(lower));
  return at < 0 ? undefined : at + 1;
}

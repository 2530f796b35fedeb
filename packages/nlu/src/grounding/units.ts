import { numberWords } from "../spans/number-words.js";

/** A unit of measurement: the same name for all of its spellings, and what it measures. */
export interface Unit {
  readonly name: string;
  readonly dimension: string;
  /** What one of it is in the base unit of its dimension: seconds, bytes, metres. */
  readonly factor: number;
}

/**
 * Spellings by unit, by what they measure, with the factor to the base unit where it is not 1; the first spelling names the unit.
 * Behind the bar stand those of German and Spanish.
 */
const spellings: Readonly<Record<string, readonly (readonly [factor: number, forms: string])[]>> = {
  time: [
    [1e-9, "ns nanosecond nanoseconds"],
    [1e-6, "us µs μs microsecond microseconds"],
    [1e-3, "ms msec millis millisecond milliseconds | milisegundos millisekunden"],
    [1, "s sec secs second seconds | sekunde sekunden segundo segundos"],
    [60, "min mins minute minutes | minuten minuto minutos"],
    [3_600, "h hr hrs hour hours | stunde stunden hora horas"],
    [86_400, "d day days | tag tage tagen día días"],
    [604_800, "week weeks | woche wochen semana semanas"],
    [2_629_800, "month months | monat monate monaten mes meses"],
    [31_557_600, "year years | jahr jahre jahren año años"],
  ],
  data: [
    [1, "b byte bytes"],
    ...[
      "kb kilobyte kilobytes",
      "mb megabyte megabytes",
      "gb gigabyte gigabytes",
      "tb terabyte terabytes",
    ].map((forms, at) => [1_000 ** (at + 1), forms] as const),
    ...[
      "ki kib kibibyte kibibytes",
      "mi mib mebibyte mebibytes",
      "gi gib gibibyte gibibytes",
      "ti tib tebibyte tebibytes",
    ].map((forms, at) => [1_024 ** (at + 1), forms] as const),
  ],
  share: [[1, "% percent per_cent pct | prozent por_ciento"]],
  temperature: [
    [1, "°c c celsius degrees_celsius | grad_celsius grados_celsius"],
    [1, "°f fahrenheit degrees_fahrenheit"],
  ],
  currency: [
    [1, "eur € euro euros"],
    [1, "usd $ us$ dollar dollars us_dollar us_dollars"],
    [1, "gbp £ pound pounds | libras"],
    [1, "inr ₹ rs rupee rupees"],
    [1, "chf franken francs"],
    [1, "jpy ¥ yen"],
  ],
  scale: [
    [100_000, "lakh lakhs"],
    [10_000_000, "crore crores"],
    [1_000, "thousand | tausend mil"],
    [1_000_000, "million millions | millionen"],
    [1_000_000_000, "billion billions"],
  ],
  length: [
    [0.001, "mm millimetre millimetres millimeter millimeters | milímetro milímetros"],
    [0.01, "cm centimetre centimetres centimeter centimeters | zentimeter centímetro centímetros"],
    [1, "m metre metres meter meters | metro metros"],
    [1_000, "km kilometre kilometres kilometer kilometers | kilometern kilómetro kilómetros"],
    [1, "ft foot feet"],
    [1, "inch inches"],
    [1, "mile miles | meile meilen milla millas"],
  ],
  area: [
    [
      1,
      "sqm m² sq_m square_metre square_metres square_meter square_meters | quadratmeter metros_cuadrados",
    ],
    [1, "sqft ft² sq_ft square_foot square_feet"],
    [1, "acre acres"],
    [1, "ha hectare hectares | hektar hectárea hectáreas"],
  ],
  mass: [
    [0.001, "mg milligram milligrams"],
    [1, "g gram grams | gramm gramo gramos"],
    [1_000, "kg kilogram kilograms | kilogramm kilo kilos kilogramo kilogramos"],
    [1, "lb lbs"],
    [1_000_000, "t tonne tonnes"],
  ],
  volume: [
    [0.001, "ml millilitre millilitres milliliter"],
    [1, "l litre litres liter liters | litro litros"],
    [1, "gallon gallons"],
    [1, "m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters | kubikmeter metros_cúbicos"],
  ],
  frequency: [
    [1, "hz hertz"],
    [1_000, "khz kilohertz"],
    [1_000_000, "mhz megahertz"],
    [1_000_000_000, "ghz gigahertz"],
  ],
  current: [
    [0.001, "ma milliamp milliamps milliampere milliamperes"],
    [0.000_001, "µa microampere microamperes"],
  ],
  power: [
    [1, "w watt watts"],
    [1_000, "kw kilowatt kilowatts"],
    [1, "kwh kilowatt_hours | kilowattstunden"],
    [1, "v volt volts"],
    [1, "bar"],
    [1, "psi"],
  ],
};

const english = new Map<string, Unit>();
const all = new Map<string, Unit>();
for (const [dimension, lines] of Object.entries(spellings))
  for (const [factor, line] of lines) {
    const [own = "", others = ""] = line.split(" |");
    const forms = own.split(" ");
    const unit = { name: forms[0] ?? "", dimension, factor };
    for (const form of [...forms, ...others.split(" ")])
      if (form !== "") all.set(form.replaceAll("_", " "), unit);
    for (const form of forms) english.set(form.replaceAll("_", " "), unit);
  }

/** The unit that a word names in English: `seconds`, `MiB`, `percent`. */
export function toEnglishUnit(text: string): Unit | undefined {
  return english.get(text.toLowerCase());
}

/** The unit of a word, or of two words with a space between them. */
export function toUnit(text: string): Unit | undefined {
  return all.get(text.toLowerCase());
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

/** The value of a number in words: "fourteen", "dreieinhalb". */
export function toNumber(lower: string): number | undefined {
  if (lower === "anderthalb") return 1.5;
  const whole = numbers.get(lower.replace(/einhalb$/, ""));
  return whole === undefined || !lower.endsWith("einhalb") ? whole : whole + 0.5;
}

const parts = new Map(
  ["_ _ half third quarter fifth sixth seventh eighth ninth tenth"].flatMap((line) =>
    line.split(" ").flatMap(
      (word, at) =>
        [
          [word, at],
          [`${word}s`, at],
        ] as const,
    ),
  ),
);

/** "Three fifths", "half an hour", "two and a half": the value, its unit where it is a share, and what of the text belongs to it. */
export function readFraction(
  lower: string,
  behind: string,
):
  | { readonly value: number; readonly unit?: Unit | undefined; readonly length: number }
  | undefined {
  const halfOf = lower === "half" ? /^ an? /.exec(behind) : null;
  if (halfOf !== null) return { value: 0.5, length: halfOf[0].length - 1 };
  const whole = toNumber(lower);
  if (whole === undefined) return undefined;
  const half = /^ and a half(?!\p{L})/u.exec(behind);
  if (half !== null) return { value: whole + 0.5, length: half[0].length };
  const [all = "", word = "", of] = /^[ -](\p{L}{5,8})(?!\p{L})( of an?(?= ))?/u.exec(behind) ?? [];
  const part = parts.get(word);
  // "Two seconds", "one third": what is a unit of time as well counts as that.
  if (part === undefined || whole >= part) return undefined;
  // "Three quarters of an hour".
  if (of !== undefined) return { value: whole / part, length: all.length };
  return { value: (100 * whole) / part, unit: toUnit("%"), length: all.length };
}

const clock =
  /(?<![\d:.,])(?:(\d{1,2})(?:[.:](\d{2}))? ?(?:(a\.?m\.?|p\.?m\.?)(?![\p{L}\d])|Uhr(?: (\d{2})(?![\d:]))?)|(\d{2})(\d{2})(?:(?: ?[-–] ?| to | bis )(\d{2})(\d{2}))?(?= (?:UTC|GMT|CET|CEST|h)(?!\p{L})))|(?<!\p{L})(?:(noon|midnight|mediodía|medianoche|Mitternacht)|(\p{L}{3,6}|\d{1,2}) o['’]clock)(?!\p{L})/giu;

const spokenClock =
  /(?<!\p{L})(?:a )?(quarter|half|Viertel) (past|to|nach|vor) (\p{L}{3,6}|\d{1,2})(?!\p{L})( (?:at night|in the (?:afternoon|evening)|abends|nachmittags))?/giu;

/** "Quarter to eleven at night": 22:45. */
function writeSpokenClock(all: string, part: string, side: string, hour: string, late?: string) {
  const hours = /^\d/.test(hour) ? Number(hour) : toNumber(hour.toLowerCase());
  if (hours === undefined || hours > 12) return all;
  const minutes = /^half$/i.test(part) ? 30 : 15;
  const whole = (hours % 12) * 60 + (late === undefined ? 0 : 720);
  const time = whole + (/^(?:to|vor)$/i.test(side) ? -minutes : minutes);
  const [h, m] = [Math.floor(time / 60), time % 60].map((one) => String(one).padStart(2, "0"));
  return `${h}:${m}`;
}

/** Writes times of day in one way: "11 Uhr", "2 pm", "noon" and "0500 UTC" as `11:00`, `14:00`, `12:00` and `05:00 UTC`. */
export function writeClocks(text: string): string {
  return text
    .replace(spokenClock, writeSpokenClock)
    .replace(
      clock,
      (all, hour, minute, half, behind, from, fromMinute, to, toMinute, named, spelled) => {
        const at = (hours: number, minutes = "00") =>
          `${String(hours).padStart(2, "0")}:${minutes}`;
        if (named !== undefined) return /^(?:noon|mediod)/i.test(named) ? "12:00" : "00:00";
        if (spelled !== undefined) {
          const hours = /^\d/.test(spelled) ? Number(spelled) : toNumber(spelled.toLowerCase());
          return hours === undefined || hours > 12 ? all : at(hours);
        }
        if (from !== undefined) {
          if (Number(from) > 24 || Number(fromMinute) > 59) return all;
          const start = at(Number(from), fromMinute);
          return to === undefined ? start : `${start} to ${at(Number(to), toMinute)}`;
        }
        const isAfternoon = half !== undefined && /^p/i.test(half);
        const hours =
          half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
        return hours > 24 ? all : at(hours, minute ?? behind ?? "00");
      },
    );
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

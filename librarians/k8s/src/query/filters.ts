import { createPhrases, numberWords } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import type { Finding } from "../diagnosis/finding.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { parseQuantity } from "../diagnosis/quantity.js";
import { type Field, fieldNamed, findField } from "../fields/fields.js";
import { happenedAt, idsIn, isInState, stateName } from "../fields/states.js";
import { fieldData } from "../fields/table.js";
import { getImageTag, getProgram, isImage, tagIn } from "../question/images.js";
import { phrases, questionWords } from "../question/question-words.js";
import { stateIn } from "../question/state-words.js";
import { collectValues } from "../question/values.js";
import { toWords } from "../question/words.js";
import { denied, type Filter, isDenied } from "./filter.js";
import { termsIn } from "./terms.js";

type Comparator = ">" | ">=" | "<" | "<=" | "=";

const comparators = questionWords.comparators as Readonly<Record<string, Comparator>>;
/** Comparators that have their number in them. */
const counted: Readonly<Record<string, string>> = {
  "a single": "1",
  "not a single": "0",
  "not one": "0",
};
const numbers: Readonly<Record<string, number>> = {
  ...{ zero: 0, no: 0, a: 1, an: 1, single: 1, once: 1, twice: 2 },
  ...numberWords,
};
const timeUnits: Readonly<Record<string, number>> = {
  minute: 60_000,
  min: 60_000,
  hour: 3_600_000,
  h: 3_600_000,
  hr: 3_600_000,
  day: 86_400_000,
  d: 86_400_000,
  week: 604_800_000,
  w: 604_800_000,
  month: 2_592_000_000,
  year: 31_536_000_000,
};
const comparing = new RegExp(
  `(?<![a-z])(${Object.keys(comparators).join("|")})\\s{0,3}(\\d{1,12}(?:\\.\\d{1,6})?|(?:${Object.keys(numbers).join("|")})(?![a-z]))?\\s?([a-z]{1,8})?(?![a-z])`,
  "gi",
);

/** Conditions of a question that compare a field with a number: "more than 5 restarts", "memory limit over 1Gi". */
export function comparisonsIn(text: string): readonly Filter[] {
  const compared = [...text.matchAll(comparing)].flatMap((hit) => {
    const [said, word = "", given, unit = ""] = hit;
    const is = comparators[word.toLowerCase()];
    const number = given ?? counted[word.toLowerCase()];
    if (is === undefined || number === undefined) return [];
    const amount = numbers[number.toLowerCase()] ?? Number(number);
    const behind = text.slice(hit.index + said.length - unit.length, hit.index + said.length + 30);
    const before = text.slice(Math.max(0, hit.index - 30), hit.index);
    const spanUnit = timeUnits[unit.toLowerCase().replace(/s$/, "")];
    if (spanUnit !== undefined) {
      const isAge = /old|young|new/i.test(word) || /\b(?:age|old|created)\b/i.test(before);
      return isAge || findField(before) === undefined
        ? [compare(fieldNamed("age"), is, amount * spanUnit, `${said}`)]
        : [];
    }
    const quantity = parseQuantity(`${number}${unit}`);
    const isQuantity = unit !== "" && quantity !== undefined && !/^\d*$/.test(unit);
    const behindField = isQuantity
      ? undefined
      : findField(behind.split(/\s+/).slice(0, 2).join(" "));
    const field = behindField ?? findField(before) ?? (isQuantity ? findField(behind) : undefined);
    if (field === undefined || (field.name === "namespace" && behindField === undefined)) return [];
    const words =
      behindField === undefined
        ? said.trim()
        : `${said.trim()} ${behind.slice(unit.length).trim().split(/\s+/)[0] ?? ""}`;
    return [
      compare(field, is, isQuantity ? quantity : amount, words.replace(/[\s?!.,]{1,9}$/, "")),
    ];
  });
  // "... although it wants some", "that should have pods"
  const wanted = wantsSome.exec(text)?.[0];
  return [
    ...compared,
    ...countsIn(text),
    ...(wanted === undefined ? [] : [compare(fieldNamed("replicas"), ">", 0, wanted)]),
  ];
}

const wantsSome = /\b(?:wants?|wanted|should have|asks? for) (?:some|any|pods|replicas)\b/i;

/** "With 0 ready replicas", "have 2 containers": a number right before what is counted. */
const havingNumber = /\b(?:with|having|have|has)\s+(\d{1,6})\s+([a-z]+(?: [a-z]+)?)/gi;

function countsIn(text: string): readonly Filter[] {
  return [...text.matchAll(havingNumber)].flatMap(([said, number = "", what = ""]) => {
    const field = findField(what);
    return field === undefined ? [] : [compare(field, "=", Number(number), said)];
  });
}

function compare(field: Field | undefined, is: Comparator, amount: number, text: string): Filter {
  return {
    text,
    field: field?.name,
    test(object, view) {
      const value = field?.read(object, view)?.value;
      if (typeof value !== "number") return undefined;
      switch (is) {
        case ">":
          return value > amount;
        case ">=":
          return value >= amount;
        case "<":
          return value < amount;
        case "<=":
          return value <= amount;
        case "=":
          return value === amount;
      }
    },
  };
}

/** Maximum number of different conditions of presence that are read in a question. */
const maxPresences = 20;
const presence =
  /\b(with|without|having|have|has|carry|carries|carrying|lacking|lack|lacks|no|missing)\s+(?:a |an |any |the |no )?([a-z]+(?: [a-z]+)?)/gi;

/** Conditions of a question that a part is there or not: "ingresses with tls", "pods without a node selector". */
export function presencesIn(text: string): readonly Filter[] {
  const hits = new Map([...text.toLowerCase().matchAll(presence)].map((hit) => [hit[0], hit]));
  return [...hits.values()]
    .slice(0, maxPresences)
    .flatMap(([said, word = "", what = ""]): readonly Filter[] => {
      const isThere =
        /^(?:with|having|have|has|carry|carries|carrying)$/.test(word) && !said.includes(" no ");
      const first = what.split(" ")[0] ?? "";
      const key = [what, first]
        .flatMap((one) => keys[one] ?? keys[one.replace(/s$/, "")] ?? [])
        .at(0);
      if (key !== undefined)
        return [
          { text: said, test: (object: KubernetesObject) => hasKey(object, key) === isThere },
        ];
      // "Services without any ready endpoint" have none of what is counted.
      const field = findField(what);
      // "Has the highest memory limit" asks for no more than that.
      if (field === undefined || (isThere && field.isCounted !== true)) return [];
      return [
        {
          text: said,
          field: field.name,
          test: (object: KubernetesObject, view: ClusterView) => {
            const value = field.read(object, view)?.value;
            if (field.isCounted === true)
              return value === undefined ? undefined : Number(value) > 0 === isThere;
            return (value !== undefined) === isThere;
          },
        },
      ];
    });
}

/** What a list is narrowed by, beside the words of the question. */
export interface FilterScope {
  readonly query: string;
  /** Words that may be names. */
  readonly names: readonly string[];
  /** Objects that it names: they select, and their names narrow nothing. */
  readonly named: readonly KubernetesObject[];
  readonly findings: readonly Finding[];
  readonly periodMs: number | undefined;
}

/** Everything that a question narrows a list by: what it compares, what is there or not, words of the objects, a state. */
export function filtersIn(scope: FilterScope): readonly Filter[] {
  const { named } = scope;
  const query = withoutInclusions(scope.query);
  const names = scope.names.filter((name) => query.includes(name));
  const compared = comparisonsIn(query);
  // "Not a single ready replica" asks for no state beside that.
  const presences = presencesIn(query);
  const rest = [...compared, ...presences].reduce(
    (text, { text: said }) => text.replace(said, " "),
    query,
  );
  const terms = termsIn(query);
  const images = toWords(query).filter(isImage);
  const tag = tagIn(query);
  const type = serviceTypes.find(([form]) => form.test(query))?.[1];
  return [
    ...(images.length === 0
      ? []
      : [{ text: images.join(" "), test: (object: KubernetesObject) => runsOne(object, images) }]),
    ...(tag === undefined || images.length > 0
      ? []
      : [{ text: tag, test: (object: KubernetesObject) => runsTag(object, tag) }]),
    ...(type === undefined
      ? []
      : [
          {
            text: type,
            test: ({ kind, spec }: KubernetesObject) =>
              kind === "Service" ? (textAt(spec, "type") ?? "ClusterIP") === type : undefined,
          },
        ]),
    ...compared,
    ...presences,
    ...terms,
    ...(named.length > 0
      ? []
      : names
          .filter((name) => !terms.some(({ text }) => text.split(" ").includes(name.toLowerCase())))
          .flatMap((name) => valueBeside(name, query) ?? marksOf(name))
          .map((one) => (isDenied(one.text, query) ? denied(one) : one))),
    ...(created.test(query) && scope.periodMs !== undefined
      ? [compare(fieldNamed("age"), "<=", scope.periodMs, "created in that time")]
      : []),
    ...(root.test(query) ? [{ text: "may run as root", test: mayRunAsRoot }] : []),
    ...stateFilter({ ...scope, query: rest }),
  ];
}

/** "Nodes, control plane included": what is counted too narrows nothing. */
export function withoutInclusions(query: string): string {
  const parts = query.split(",");
  return parts
    .filter((part, index) => index === 0 || !toWords(part).some((word) => /^incl/i.test(word)))
    .map((part) => part.split(/\bincl/i)[0] ?? "")
    .join(",");
}

const created = phrases("filters.created");
const root = phrases("filters.root");

/** Whether a container of an object may run as user 0: as it sets it, or where nothing forbids it. */
function mayRunAsRoot(object: KubernetesObject): boolean | undefined {
  const spec = findPodSpec(object);
  const containers = listAt(spec, "containers");
  if (containers.length === 0) return undefined;
  return containers.some((container) => {
    const own = { ...recordAt(spec, "securityContext"), ...recordAt(container, "securityContext") };
    return own.runAsUser === 0 || (own.runAsUser === undefined && own.runAsNonRoot !== true);
  });
}

/** "Recreate strategy", "priority class high": a value right beside its field, which may be none's. */
function valueBeside(name: string, query: string): readonly Filter[] | undefined {
  const words = toWords(query.toLowerCase());
  const at = words.indexOf(name.toLowerCase());
  const beside = [words.slice(at + 1, at + 3), words.slice(Math.max(0, at - 2), at)];
  const field =
    at < 0
      ? undefined
      : beside.map((some) => findField(some.join(" "))).find((one) => one?.isNarrowing === true);
  const value = name.toLowerCase();
  return field === undefined
    ? undefined
    : [
        {
          text: name,
          field: field.name,
          test: (object, view) => {
            const found = field.read(object, view)?.text.toLowerCase();
            return found === undefined ? undefined : found.includes(value);
          },
        },
      ];
}

/** The state that a question asks for, within the time that it looks back. */
function stateFilter({ query, findings, periodMs }: FilterScope): readonly Filter[] {
  const state = stateIn(query);
  if (state === undefined) return [];
  const broken = idsIn(findings);
  return [
    {
      text: stateName(state),
      state,
      test: (object, view) => {
        const is = isInState(object, state, { query, broken });
        const at = periodMs === undefined ? undefined : happenedAt(object, state);
        return is === true && periodMs !== undefined && at !== undefined
          ? view.now - at <= periodMs
          : is;
      },
    },
  ];
}

const serviceTypes = questionWords.serviceTypes.map(
  ([words, type]) => [createPhrases(words), type] as const,
);

/** True for what runs one of these images; a name without tag or digest is that of all of them. */
function runsOne(object: KubernetesObject, images: readonly string[]): boolean | undefined {
  const own = listImages(object);
  return own.length === 0
    ? undefined
    : images.some((image) =>
        own.some(
          (one) => one === image || one.startsWith(`${image}:`) || one.startsWith(`${image}@`),
        ),
      );
}

function runsTag(object: KubernetesObject, tag: string): boolean | undefined {
  const own = listImages(object);
  return own.length === 0 ? undefined : own.some((image) => getImageTag(image) === tag);
}

function listImages(object: KubernetesObject): readonly string[] {
  const spec = findPodSpec(object);
  return [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].flatMap(
    (container) => textAt(container, "image") ?? [],
  );
}

const { flags, keys } = fieldData;

/** A word of the question as a reason, a program, a flag or a value of what is listed ("CrashLoopBackOff", "nginx"). */
function marksOf(name: string): readonly Filter[] {
  const flag = flags[name.toLowerCase()];
  if (flag !== undefined) return [{ text: name, test: (object) => hasKey(object, flag) }];
  const word = name.toLowerCase();
  // "Tainted nodes"
  const key = word.endsWith("ed")
    ? (keys[word.slice(0, -2)] ?? keys[word.slice(0, -1)])
    : undefined;
  if (key !== undefined) return [{ text: name, test: (object) => hasKey(object, key) }];
  return [{ text: name, isMark: true, test: (object) => collectMarks(object).has(word) }];
}

/** Words that are true of an object: reasons of its state, programs of its images, values of labels and fields. */
function collectMarks(object: KubernetesObject): ReadonlySet<string> {
  const spec = findPodSpec(object);
  const programs = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].map(
    getProgram,
  );
  const runs = object.kind === "Pod" ? readContainers(object) : [];
  const reasons = [
    textAt(object, "status", "reason"),
    ...runs.flatMap(({ waiting, terminated, last }) => [
      waiting?.reason,
      terminated?.reason,
      last?.reason,
    ]),
  ];
  const { phase, qosClass } = recordAt(object.status);
  const conditions = listAt(object.status, "conditions").filter(
    (one) => textAt(one, "status") === "True",
  );
  const states = [phase, qosClass].filter((one) => typeof one === "string");
  // "In zone fra-2": the value narrows the list, and its label's key only names it.
  const labels = Object.keys(object.metadata.labels ?? {}).map((key) => key.split("/").at(-1));
  return new Set(
    [
      ...[...programs, ...reasons, ...labels, ...states],
      ...conditions.map((one) => textAt(one, "type")),
      ...collectValues(object),
    ].flatMap((mark) => (mark === undefined || mark.length < 3 ? [] : [mark.toLowerCase()])),
  );
}

function hasKey(object: KubernetesObject, key: string): boolean {
  const visit = (value: unknown, depth: number): boolean => {
    if (depth > 10) return false;
    if (Array.isArray(value)) return value.some((one) => visit(one, depth + 1));
    return Object.entries(recordAt(value)).some(([name, one]) =>
      name === key ? !isEmpty(one) : typeof one === "object" && visit(one, depth + 1),
    );
  };
  const { metadata, spec } = object;
  return visit({ metadata, spec: findPodSpec(object) ?? spec, own: spec }, 0);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (typeof value === "object" && Object.keys(value).length === 0)
  );
}

import { quoted } from "../incident/untrusted.js";
import type { Risk } from "../reply/selection.js";
import { createEnvironmentReader, type EnvironmentReader, environments } from "./environment.js";

/** What one source states of an incident's environment. */
export interface Statement {
  readonly by: "alert" | "caller" | "cluster";
  /** A hop of this run observed it, or a trusted caller handed it in. Anything else is a claim. */
  readonly isObserved: boolean;
  readonly environment?: string | undefined;
  readonly riskTolerance?: string | undefined;
}

/** What the gates know of an incident's environment: the strictest of all statements. */
export interface OperatingConditions {
  /** As the strictest statement has it, for the filter of labels. Undefined: not stated. */
  readonly environment?: string | undefined;
  /** The lowest that is stated. Undefined: not stated. */
  readonly riskTolerance?: Risk | undefined;
  /** Risk and approval are decided as for production. */
  readonly isProduction: boolean;
  /** Why it counts as production although nothing says that it is. */
  readonly reason?: string | undefined;
  /** What only the cluster states: an investigation added it. */
  readonly added: ReadonlySet<"environment" | "riskTolerance">;
  /** Statements that differ, one sentence each: a person must look. */
  readonly conflicts: readonly string[];
}

/** Risks, the lowest first. */
export const risks = ["low", "medium", "high"] as const satisfies readonly Risk[];

const defaultReader = createEnvironmentReader();
/** A name that is not known is stricter than any but production. */
const unknownRank = 0.5;

/** The statements about one incident whose environment the rows below decide about. */
interface Stated {
  /** The strictest statement; undefined: there is none. */
  readonly name?: string | undefined;
  readonly isKnown: boolean;
  readonly isNamedProduction: boolean;
  readonly isObserved: boolean;
}

/** When an environment counts as production, the first row that applies. The table of the README. */
export const productionRows: readonly {
  readonly when: string;
  applies(stated: Stated): boolean;
  /** Undefined: it is production. */
  reason(name: string): string | undefined;
}[] = [
  {
    when: "No one states it",
    applies: ({ name }) => name === undefined,
    reason: () => "its environment is not stated and counts as production",
  },
  {
    when: "The strictest statement names production",
    applies: ({ isNamedProduction }) => isNamedProduction,
    reason: () => undefined,
  },
  {
    when: "The strictest statement is a name that is not known",
    applies: ({ isKnown }) => !isKnown,
    reason: (name) =>
      `its environment ${quoted(name, 40)} is not a known name and counts as production`,
  },
  {
    when: "Only the alert or the caller states it, and nothing observed does",
    applies: ({ isObserved }) => !isObserved,
    reason: (name) =>
      `its environment ${quoted(name, 40)} was not observed and counts as production`,
  },
];

/** Decides what counts of all that is stated about an incident. */
export function resolveConditions(
  statements: readonly Statement[],
  reader: EnvironmentReader = defaultReader,
): OperatingConditions {
  const environment = strictest(statements, "environment", (name) => environmentRank(name, reader));
  const tolerance = strictest(statements, "riskTolerance", (text) => {
    const risk = riskIn(text);
    return risk === undefined ? undefined : risks.indexOf(risk);
  });
  const { name } = environment;
  const known = name === undefined ? undefined : reader.read(name);
  const stated = {
    name,
    isKnown: known !== undefined,
    isNamedProduction: known === "production",
    isObserved: environment.isObserved,
  };
  const row = productionRows.find(({ applies }) => applies(stated));
  return {
    environment: name,
    riskTolerance: riskIn(tolerance.name ?? ""),
    isProduction: row !== undefined,
    reason: row?.reason(name ?? ""),
    added: new Set([
      ...(environment.isAdded ? (["environment"] as const) : []),
      ...(tolerance.isAdded ? (["riskTolerance"] as const) : []),
    ]),
    conflicts: [...environment.conflicts, ...tolerance.conflicts],
  };
}

function riskIn(text: string): Risk | undefined {
  return risks.find((one) => one === text.trim().toLowerCase());
}

function environmentRank(name: string, reader: EnvironmentReader): number {
  const one = reader.read(name);
  return one === undefined ? unknownRank : environments.indexOf(one);
}

function strictest(
  statements: readonly Statement[],
  key: "environment" | "riskTolerance",
  rankOf: (text: string) => number | undefined,
) {
  const made = statements.flatMap(({ by, isObserved, [key]: given = "" }) => {
    const text = given.trim();
    const rank = text === "" ? undefined : rankOf(text);
    return rank === undefined ? [] : [{ by, isObserved, text, rank }];
  });
  const [first] = made.toSorted((a, b) => a.rank - b.rank); // stable: of equally strict ones the first
  const other = made.find((one) => first !== undefined && one.rank !== first.rank);
  const what = key === "environment" ? "the environment" : "the risk tolerance";
  return {
    name: first?.text,
    isObserved: made.some((one) => one.isObserved),
    isAdded: made.length > 0 && made.every(({ by }) => by === "cluster"),
    conflicts:
      first === undefined || other === undefined
        ? []
        : [
            `the ${first.by} gives ${quoted(first.text, 40)} as ${what} and the ${other.by} ${quoted(other.text, 40)}, of which the stricter counts`,
          ],
  };
}

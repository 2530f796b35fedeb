import { maxTimerMs } from "@constellation/core";
import { minimum, type NumberOption, type Option } from "@constellation/core/checks";
import { expect, it } from "vitest";
import { createSourceReader, type InterfaceMember } from "../../scripts/interface-members.js";
import { optionInterfaces } from "../../scripts/reference.js";

it("the documentation of each option has the range and the default of its table", () => {
  const withTable = optionInterfaces.filter(([, , , table]) => table !== undefined);
  const reader = createSourceReader([...new Set(withTable.map(([, file]) => file))]);

  const problems = withTable.flatMap(([, file, name, table = {}]) =>
    reader.membersOf(file, name).flatMap((member) => {
      const option = table[member.name];
      const problem = option === undefined ? "is in no table" : docProblem(member, option);
      return problem === undefined ? [] : [`${name}.${member.name}: ${problem}`];
    }),
  );

  expect(withTable).toHaveLength(9);
  expect(problems).toEqual([]);
});

function docProblem({ text, preset }: InterfaceMember, option: Option): string | undefined {
  const value = "default" in option ? option.default : undefined;
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  const isSentence = preset === undefined || preset.includes(" ");
  if (value === undefined ? !isSentence : preset?.replaceAll("_", "") !== shown) {
    return `@default is ${preset ?? "missing"}, its table has ${shown}`;
  }
  const { range, hasInfinity } = describeRange(option);
  if (!text.includes(range)) return `its text does not say "${range}"`;
  if (hasInfinity === undefined || text.includes("or `Infinity`") === hasInfinity) return undefined;
  return `its text should${hasInfinity ? "" : " not"} say "or \`Infinity\`"`;
}

/** What the documentation of a number says of its range. */
function describeRange(option: Option): { range: string; hasInfinity?: boolean } {
  const number = option as NumberOption; // read only where the kind is that of a number
  const hasInfinity = number.isFinite !== true;
  switch (option.kind) {
    case "duration":
      return { range: `${minimum(number)} to ${maxTimerMs}`, hasInfinity };
    case "count":
      return { range: `Integer, ${minimum(number)} or more`, hasInfinity };
    case "amount":
      return { range: `${minimum(number)} or more` };
    case "share":
      return { range: "More than 0, at most 1" };
    default:
      return { range: "" };
  }
}

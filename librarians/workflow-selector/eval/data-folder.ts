import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The folder of real workflows and cases.
 *
 * @param given - Another folder of the same layout; `../shared/data` beside the repository where not given.
 * @returns Undefined where it is absent.
 */
export function selectionData(given?: string): string | undefined {
  const data = given === undefined ? join(repository, "../shared/data") : resolve(given);
  return [join(data, "workflow-selection"), data].find((each) =>
    existsSync(join(each, "catalog.json")),
  );
}

/** The cases of a file; none where it is absent. */
export function readCases<Case>(
  folder: string,
  name: string,
  schema: z.ZodType<Case>,
): readonly Case[] {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  return z.object({ cases: z.array(schema) }).parse(JSON.parse(readFileSync(file, "utf8"))).cases;
}

/** The workflows of the real catalog, as they are written there. */
export function readRealWorkflows(folder: string): readonly unknown[] {
  const { workflows } = z
    .object({ workflows: z.array(z.looseObject({ catalog: z.string().optional() })) })
    .parse(JSON.parse(readFileSync(join(folder, "catalog.json"), "utf8")));
  return workflows.filter(({ catalog }) => catalog === "demo");
}

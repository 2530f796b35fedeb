import type { Workflow } from "../catalog/workflow.js";

/** Maximum number of characters of a text that are read for ids. */
const maxLength = 100_000;

/** Ids of two words or more in lower case, without a version at the end: `restart-pods-v1` as `restart-pods`. */
function idsIn(text: string): readonly string[] {
  return text
    .slice(0, maxLength)
    .split(/[^\w-]+/)
    .filter((word) => word.includes("-"))
    .map(normaliseId);
}

function normaliseId(id: string): string {
  return id.toLowerCase().replace(/-v\d{1,9}$/, "");
}

/** Maximum number of values of records that are read. */
const maxValues = 2_000;

/** Whether a text anywhere in records, such as alerts, names an entry by its id of two words or more. */
export function namesEntry(records: readonly unknown[], { id }: Pick<Workflow, "id">): boolean {
  const wanted = normaliseId(id);
  if (!wanted.includes("-")) return false;
  const open: unknown[] = [...records];
  for (let read = 0; read < maxValues && open.length > 0; read++) {
    const value = open.shift();
    if (typeof value === "string") {
      if (idsIn(value).includes(wanted)) return true;
    } else if (typeof value === "object" && value !== null) {
      open.push(...Object.values(value).slice(0, maxValues));
    }
  }
  return false;
}

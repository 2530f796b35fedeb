import type { ListResult } from "../cluster/cluster-reader.js";
import { isRecord, textAt } from "../cluster/fields.js";
import { parseJson, problem, problemOfAnswer } from "./answer-problem.js";
import type { ApiClient } from "./api-client.js";
import type { ReadDeadline } from "./deadline.js";
import type { LiveReaderBounds } from "./options.js";

/** What to list. */
export interface ListRequest<Item> {
  readonly path: string;
  readonly subject: string;
  /** Undefined for what is left out. */
  readonly read: (item: unknown) => Item | undefined;
  /** Selectors. */
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Lists every page. A list that expires between two pages is read again from its beginning, once.
 *
 * @returns What was read, also when a problem ended it.
 */
export async function readList<Item>(
  client: ApiClient,
  request: ListRequest<Item>,
  bounds: LiveReaderBounds,
  deadline: ReadDeadline,
): Promise<ListResult<Item>> {
  const first = await readPages(client, request, bounds, deadline);
  if (first.problem?.code !== "gone") return first;
  return readPages(client, request, bounds, deadline);
}

async function readPages<Item>(
  client: ApiClient,
  { path, subject, read, query: selectors }: ListRequest<Item>,
  bounds: LiveReaderBounds,
  deadline: ReadDeadline,
): Promise<ListResult<Item>> {
  const items: Item[] = [];
  const seen = new Set<string>();
  let next = "";
  do {
    const query = {
      ...selectors,
      limit: String(bounds.pageSize),
      ...(next !== "" && { continue: next }),
    };
    const got = await client.get(
      { path, query, subject, maxBytes: bounds.maxResponseBytes },
      deadline,
    );
    if ("problem" in got) return { items, problem: got.problem };
    const refused = problemOfAnswer(got.answer, subject);
    if (refused !== undefined) return { items, problem: refused };
    if (got.answer.cut) return { items, problem: problem("tooLarge", subject) };
    const page = parseJson(got.answer.body);
    const listed = readItems(page);
    if (listed === undefined) return { items, problem: problem("malformed", subject, 200) };
    for (const value of listed) {
      const item = read(value);
      if (item !== undefined) items.push(item);
    }
    next = textAt(page, "metadata", "continue") ?? "";
    // A server that gives the same token twice would never end.
    if (seen.has(next)) return { items, problem: problem("malformed", subject, 200) };
    seen.add(next);
    if (next !== "" && items.length >= bounds.maxItems) {
      return { items, problem: problem("tooLarge", subject) };
    }
  } while (next !== "");
  return { items };
}

/** An empty list of Go may be null. */
function readItems(page: unknown): readonly unknown[] | undefined {
  if (!isRecord(page)) return undefined;
  if (Array.isArray(page.items)) return page.items;
  const isEmptyList = page.items === null && textAt(page, "kind")?.endsWith("List") === true;
  return isEmptyList ? [] : undefined;
}

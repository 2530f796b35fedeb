import { librarianInfoSchema } from "../contract/context.schema.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import { isRecord } from "../contract/unknown-value.js";
import { encodeJson } from "./message.js";
import type { Replica } from "./transport.js";

/** Maximum size of one entry, in bytes. */
const maxEntryBytes = 131_072;

/** Lists of librarians that fit into an entry each. */
export function partsOf(
  librarians: readonly LibrarianInfo[],
): readonly (readonly LibrarianInfo[])[] {
  const parts: LibrarianInfo[][] = [];
  let left = 0;
  for (const info of librarians) {
    const size = encodeJson(info).length;
    if (size > left) {
      parts.push([]);
      left = maxEntryBytes;
    }
    parts.at(-1)?.push(info);
    left -= size;
  }
  return parts;
}

/** What an entry says of librarians: those that are described as they should be. */
export function librariansOf(value: unknown): readonly LibrarianInfo[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const checked = librarianInfoSchema.safeParse(item);
    return checked.success ? [checked.data] : [];
  });
}

/** What an entry says of its process. */
export function replicaOf(id: string, value: unknown): Replica {
  const { host, pid, since } = isRecord(value) ? value : {};
  return {
    id,
    host: typeof host === "string" ? host.slice(0, 200) : "",
    pid: typeof pid === "number" ? pid : 0,
    since: typeof since === "number" ? since : 0,
  };
}

import { errorReasons, type Router, type User } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";

/**
 * Replaces the id of a librarian that the reader may not call.
 *
 * @beta
 */
export const hiddenLibrarian = "(hidden)";

/**
 * Removes the ids of some librarians from plain data.
 *
 * @beta
 */
export interface LibrarianFilter {
  /** The ids. */
  readonly hidden: ReadonlySet<string>;
  /**
   * Replaces the ids where the router writes them: in responses, records, events and envelopes, and in the texts
   * of errors. Content of librarians is not changed: answers, sources, queries, and their own metadata.
   */
  apply<Data>(data: Data): Data;
}

/** Keys whose values are ids, or lists of ids. */
const idKeys: ReadonlySet<string> = new Set([
  "to",
  "from",
  "librarian",
  "delegates",
  "used",
  "path",
]);

/** Keys of texts, and of data with texts, that may name a librarian. */
const textKeys: ReadonlySet<string> = new Set([
  "message",
  "suggestion",
  "reason",
  "problem",
  "details",
  "errorDetails",
  "thrown",
]);

/** Keys of content of librarians. */
const contentKeys: ReadonlySet<string> = new Set(["answer", "sources", "query", "progress"]);

/** Keys of metadata that the router writes. */
const routerMetadata: ReadonlySet<string> = new Set(["missing", "branches"]);

/**
 * Creates the filter that removes the ids of librarians whose `allow` refuses the user.
 *
 * @param user - Who reads it; `undefined`: not authenticated.
 *
 * @beta
 */
export function createLibrarianFilter(
  router: Pick<Router, "list">,
  user: User | undefined,
): LibrarianFilter {
  const hidden = new Set(router.list().map(({ id }) => id));
  for (const { id } of router.list({ user })) hidden.delete(id);
  if (hidden.size === 0) return { hidden, apply: (data) => data };
  // Ids hold only a-z, 0-9 and -.
  const names = new RegExp(`(?<![a-z0-9-])(?:${[...hidden].join("|")})(?![a-z0-9-])`, "g");

  function hideNames(text: string): string {
    return Object.hasOwn(errorReasons, text) ? text : text.replace(names, hiddenLibrarian);
  }

  /** Copies each object once, so that cycles and shared values stay what they are. */
  function createCopier() {
    const copies = { text: new Map<object, unknown>(), data: new Map<object, unknown>() };

    /** @param isText - Whether every text in the value may name a librarian. */
    function copy(value: unknown, isText: boolean): unknown {
      if (typeof value === "string") return isText ? hideNames(value) : value;
      if (!isCopied(value)) return value;
      const known = isText ? copies.text : copies.data;
      if (known.has(value)) return known.get(value);
      if (Array.isArray(value)) {
        const list: unknown[] = [];
        known.set(value, list);
        for (const item of value as readonly unknown[]) list.push(copy(item, isText));
        return list;
      }
      const record = Object.create(null) as Record<string, unknown>;
      known.set(value, record);
      for (const key of Object.keys(value)) {
        record[key] = copyAt(key, (value as Readonly<Record<string, unknown>>)[key], isText);
      }
      // A branch has a display name beside the id.
      if (record.to === hiddenLibrarian && "name" in record) record.name = hiddenLibrarian;
      return record;
    }

    function copyAt(key: string, value: unknown, isText: boolean): unknown {
      if (isText) return copy(value, true);
      if (contentKeys.has(key)) return value;
      if (key === "metadata" && isRecord(value)) {
        const entries = Object.entries(value);
        return Object.fromEntries(
          entries.map(([own, each]) => [own, routerMetadata.has(own) ? copy(each, false) : each]),
        );
      }
      return copy(value, idKeys.has(key) || textKeys.has(key));
    }

    return copy;
  }

  return {
    hidden,
    apply: <Data>(data: Data) => createCopier()(data, false) as Data, // of the same form, with other texts
  };
}

/** Whether a value has parts to copy. An object with `toJSON`, such as a date, has none. */
function isCopied(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("toJSON" in value);
}

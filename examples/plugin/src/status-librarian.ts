import {
  defineLibrarian,
  librarianOptionFields,
  optionField,
  parseOptions,
  sanitizeMarkdownLine,
} from "@constellation/authoring";
import {
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import { z } from "zod";
import { createHttpStatusPage } from "./http-status-page.js";
import type { Component, StatusPage } from "./status-page.js";

/** Options of {@link createStatusLibrarian}. */
export interface StatusLibrarianOptions {
  /** Where the status page is, http or https. */
  readonly url: string;
  /**
   * Unique in its router.
   *
   * @default "status"
   */
  readonly id?: string | undefined;
  /** Maximum time for one call, in milliseconds: 1 to 2147483647. */
  readonly timeoutMs?: number | undefined;
}

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<StatusLibrarianOptions> = z.strictObject({
  url: optionField.httpUrl("the http or https URL of a status page"),
  id: librarianOptionFields.id,
  timeoutMs: librarianOptionFields.timeoutMs,
});

/**
 * Creates a librarian that answers from a status page.
 *
 * @param page - Instead of the page behind `url`: any object with `read` will do, so tests need no
 *   network.
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createStatusLibrarian(
  options: StatusLibrarianOptions,
  page?: StatusPage,
): LibrarianDefinition<Librarian> {
  const { url, id = "status", timeoutMs } = parseOptions(optionsSchema, options);
  const read = page ?? createHttpStatusPage(url);
  return defineLibrarian(
    {
      id,
      timeoutMs,
      name: "Status page",
      description: "Says which of our services work and which do not, as the status page has it.",
      capabilities: ["status.current"],
      examples: ["Is checkout up?", "What is down?"],
      delegatesTo: [],
    },
    async (query, { report, signal }) => {
      report("reading the status page");
      return answer(query, await componentsOf(read, signal), read.url);
    },
  );
}

/** @throws MeshError `DATA_SOURCE_ERROR`: what the page threw may hold what no one else should read. */
async function componentsOf(page: StatusPage, signal: AbortSignal): Promise<readonly Component[]> {
  try {
    return await page.read(signal);
  } catch (cause) {
    throw new MeshError("DATA_SOURCE_ERROR", "The status page could not be read.", {
      suggestion: `Look at ${page.url} yourself, or ask again in a moment.`,
      cause,
    });
  }
}

function answer(query: string, components: readonly Component[], url: string): Response {
  const text = query.toLowerCase();
  const named = components.filter(({ name }) => text.includes(name.toLowerCase()));
  const asksForAll = /\b(?:what|which|all|any|anything|everything|services?)\b/.test(text);
  if (named.length === 0 && !asksForAll) {
    const names = components.slice(0, 20).map(({ name }) => plain(name));
    throw new MeshError("NOT_FOUND", "The status page does not have that.", {
      reason: "no-information",
      suggestion: `Ask about one of these: ${names.join(", ")}.`,
    });
  }
  const ill = components.filter(({ status }) => status !== "operational");
  const listed = named.length > 0 ? named : ill;
  return {
    answer: listed.length === 0 ? "Everything works." : listed.slice(0, 20).map(line).join("\n"),
    sources: [{ name: "status page", url, type: "status", relevance: 1 }],
    confidence: 0.9,
  };
}

function line({ name, status, note }: Component): string {
  const what = status === "operational" ? "works" : `is ${status}`;
  return `- ${plain(name)} ${what}${note === undefined ? "" : `: ${plain(note)}`}`;
}

/** Text of others, as one line of at most 160 characters that no page takes for markup. */
function plain(text: string): string {
  return sanitizeMarkdownLine(text, 160);
}

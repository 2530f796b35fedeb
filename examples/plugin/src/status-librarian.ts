import { type Librarian, type LibrarianDefinition, MeshError } from "@constellation/core";
import { z } from "zod";
import { createHttpStatusPage } from "./http-status-page.js";
import type { Component, StatusPage } from "./status-page.js";
import { untilAborted } from "./until-aborted.js";

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
}

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<StatusLibrarianOptions> = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "expected the http or https URL of a status page" }),
  id: z.string().optional(),
});

/**
 * Creates a librarian that says what a status page says.
 *
 * @param page - Instead of the page behind `url`: any object with `read` will do, so tests need no
 *   network.
 * @throws Error that names what is wrong with the options.
 */
export function createStatusLibrarian(
  options: StatusLibrarianOptions,
  page: StatusPage = createHttpStatusPage(optionsSchema.parse(options).url),
): LibrarianDefinition {
  const { id = "status" } = optionsSchema.parse(options);
  return {
    id,
    name: "Status page",
    description: "Says which of our services work and which do not, as the status page has it.",
    capabilities: ["status.current"],
    examples: ["Is checkout up?", "What is down?"],
    delegatesTo: [],
    librarian: statusLibrarian(id, page),
  };
}

function statusLibrarian(id: string, page: StatusPage): Librarian {
  return async (query, context) => {
    let components: readonly Component[];
    try {
      context?.report?.("reading the status page");
      components = await untilAborted(page.read(context?.signal), context?.signal);
    } catch (thrown) {
      if (context?.signal?.aborted) return { error: MeshError.from(thrown, id).toInfo() };
      // What was thrown may hold what nobody else should read.
      return {
        error: new MeshError("DATA_SOURCE_ERROR", "The status page could not be read.", {
          librarian: id,
          suggestion: `Look at ${page.url} yourself, or ask again in a moment.`,
        }).toInfo(),
      };
    }
    return answer(query, components, id, page.url);
  };
}

function answer(
  query: string,
  components: readonly Component[],
  id: string,
  url: string,
): Awaited<ReturnType<Librarian>> {
  const asked = query.toLowerCase();
  const named = components.filter(({ name }) => asked.includes(name.toLowerCase()));
  const asksForAll = /\b(?:what|which|all|any|anything|everything|services?)\b/.test(asked);
  if (named.length === 0 && !asksForAll) {
    const names = components.slice(0, 20).map(({ name }) => plain(name));
    return {
      error: new MeshError("NOT_FOUND", "The status page does not have that.", {
        reason: "no-information",
        librarian: id,
        suggestion: `Ask about one of these: ${names.join(", ")}.`,
      }).toInfo(),
    };
  }
  const ill = components.filter(({ status }) => status !== "operational");
  const told = named.length > 0 ? named : ill;
  return {
    answer: told.length === 0 ? "Everything works." : told.slice(0, 20).map(line).join("\n"),
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
  return text
    .replaceAll(/[\p{Cc}\s<>]+/gu, " ")
    .trim()
    .slice(0, 160);
}

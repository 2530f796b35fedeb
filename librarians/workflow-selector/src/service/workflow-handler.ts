import { type ErrorInfo, MeshError } from "@constellation/core";
import type { z } from "zod";
import type { CatalogStore } from "../catalog/catalog.js";
import {
  getRequestSchema,
  searchFor,
  searchRequestSchema,
  workflowFor,
} from "./catalog-requests.js";
import type { CatalogServiceOptions } from "./catalog-tools.js";

/** Serves requests below a path of a server. */
export type RequestHandler = (request: Request) => Promise<Response>;

const numbers = ["min_confidence", "max_results", "offset"];

/**
 * Serves a catalog over HTTP, as a mount of a server: `GET {mount}/search` with the keys of
 * `search_workflow_catalog` as parameters, and `GET {mount}/{id}` for the parameters of a workflow. Bodies are
 * what the tools of the same catalog give.
 *
 * A wrong parameter is 400 `INVALID_QUERY`, an id that is not there or that the filter hides 404 `NOT_FOUND`, a
 * catalog that cannot be read 502 `DATA_SOURCE_ERROR`. It never rejects.
 */
export function createWorkflowHandler(
  store: CatalogStore,
  options: CatalogServiceOptions = {},
): RequestHandler {
  return async (request) => {
    try {
      if (request.method !== "GET" && request.method !== "HEAD") {
        return refuse(405, invalid(`method: expected GET, got ${request.method}.`), {
          allow: "GET",
        });
      }
      const { pathname, searchParams } = new URL(request.url);
      const last = decodeURIComponent(pathname.split("/").at(-1) ?? "");
      const given = toValues(searchParams);
      const { signal } = request;
      if (last === "search") {
        const checked = checkedBy(searchRequestSchema, given);
        return reply(200, await searchFor(store, checked, { signal, ...options }));
      }
      const found = await workflowFor(
        store,
        checkedBy(getRequestSchema, { ...given, workflow_id: last }),
        { signal, ...options },
      );
      return found === undefined
        ? refuse(
            404,
            new MeshError("NOT_FOUND", "No workflow that this request may see has this id."),
          )
        : reply(200, found);
    } catch (thrown) {
      const known = MeshError.copyOf(thrown);
      if (known?.code === "INVALID_QUERY") return refuse(400, known);
      return refuse(
        502,
        new MeshError("DATA_SOURCE_ERROR", "The workflow catalog cannot be read."),
      );
    }
  };
}

function toValues(parameters: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...parameters].map(([key, value]) => [key, numbers.includes(key) ? Number(value) : value]),
  );
}

function checkedBy<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw invalid(`${issue?.path.join(".") || "parameters"}: ${issue?.message}.`);
}

function invalid(message: string): MeshError {
  return new MeshError("INVALID_QUERY", message);
}

function refuse(status: number, error: MeshError, headers: Record<string, string> = {}): Response {
  const info: ErrorInfo = error.toInfo();
  return reply(status, { error: info }, headers);
}

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}

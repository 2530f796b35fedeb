import { readBodyBounded } from "@constellation/authoring";
import { z } from "zod";
import type { Component, StatusPage } from "./status-page.js";

const maxBytes = 1_048_576;

const pageSchema = z.object({
  components: z
    .array(
      z.object({
        name: z.string().min(1).max(100),
        status: z.enum(["operational", "degraded", "down"]),
        note: z.string().max(10_000).optional(),
      }),
    )
    .max(1_000),
});

/** A status page as JSON behind a URL. Whatever is wrong with it makes `read` reject. */
export function createHttpStatusPage(url: string): StatusPage {
  const { origin, pathname } = new URL(url);
  return {
    url: origin + pathname,
    async read(signal): Promise<readonly Component[]> {
      const response = await fetch(url, { redirect: "manual", ...(signal && { signal }) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const body = await readBodyBounded(response, maxBytes);
      if (body === undefined) throw new Error(`longer than ${maxBytes} bytes`);
      return pageSchema.parse(JSON.parse(body.toString("utf8"))).components;
    },
  };
}

import { z } from "zod";
import type { Component, StatusPage } from "./status-page.js";

const mostBytes = 1_048_576;

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
      return pageSchema.parse(JSON.parse(await textOf(response))).components;
    },
  };
}

/** The body, which ends being read where it is too long. */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > mostBytes) throw new Error(`longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

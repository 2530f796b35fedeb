import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { itBehavesLikeALibrarian, testContext } from "@constellation/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createStatusLibrarian } from "./index.js";
import type { Component, StatusPage } from "./status-page.js";

const url = "https://status.example/components.json";
const components: readonly Component[] = [
  { name: "checkout", status: "down", note: "Out of memory\nsince <b>14:02</b>." },
  { name: "billing", status: "operational" },
];

function create(read: StatusPage["read"] = async () => components) {
  return createStatusLibrarian({ url }, { url, read });
}

describe("createStatusLibrarian", () => {
  itBehavesLikeALibrarian({
    create: () => create(),
    query: "Is checkout up?",
    unanswerable: "Is the coffee machine up?",
    failing: (thrown) => create(() => Promise.reject(thrown)),
    hanging: () => create(() => new Promise(() => {})),
    withOptions: (options) =>
      createStatusLibrarian({ url, ...options }, { url, read: async () => components }),
    without: ["delegation", "secrets"],
  });

  it("says what is wrong with what was asked for, in plain words", async () => {
    const { answer, sources } = await create().librarian("Is Checkout up?", testContext());

    expect(answer).toBe("- checkout is down: Out of memory since \\<b>14:02\\</b>.");
    expect(sources).toMatchObject([{ url }]);
  });

  it("names what does not work when all is asked for, or that everything does", async () => {
    const well = create(async () => [{ name: "billing", status: "operational" }]);

    expect((await create().librarian("What is down?")).answer).not.toContain("billing");
    expect((await well.librarian("What is down?")).answer).toBe("Everything works.");
  });

  it("refuses a wrong option, naming it", () => {
    expect(() => createStatusLibrarian({ url: "ftp://status.example" })).toThrow("url");
    expect(() => createStatusLibrarian({ url, ur: "" } as { url: string })).toThrow("ur");
  });
});

describe("createStatusLibrarian, over HTTP", () => {
  let server: Server;

  afterEach(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });

  async function askServer(listener: RequestListener) {
    server = createServer(listener);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { librarian } = createStatusLibrarian({ url: `http://127.0.0.1:${port}/s?key=hunter2` });
    return librarian("Is checkout up?", testContext());
  }

  it("reads the page", async () => {
    const { answer, sources } = await askServer((_, response) => {
      response.end(JSON.stringify({ components }));
    });

    expect(answer).toContain("checkout is down");
    expect(sources?.[0]?.url).toMatch(/\/s$/); // without its key
  });

  it.each([
    ["an error", (_, response) => response.writeHead(500).end()],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/other" }).end()],
    ["no JSON", (_, response) => response.end("<html>")],
    ["another shape", (_, response) => response.end('{"components": [{"name": 1}]}')],
    ["too much", (_, response) => response.end(" ".repeat(2_000_000))],
  ] satisfies [string, RequestListener][])(
    "answers %s with an error of its own",
    async (_, listener) => {
      const { error } = await askServer(listener);

      expect(error?.code).toBe("DATA_SOURCE_ERROR");
      expect(JSON.stringify(error)).not.toContain("hunter2");
    },
  );
});

import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { LibrarianDefinition } from "../contract/definition.js";
import { createRouter } from "./create-router.js";

const search = {
  name: "search",
  description: "searches",
  input: z.object({}),
  run: async () => "found",
};
const routes = { "/workflows": () => async () => new Response("found") };

function definition(more: Partial<LibrarianDefinition> = {}): LibrarianDefinition {
  return { id: "catalog", description: "d", librarian: async () => ({ answer: "a" }), ...more };
}

describe("services of librarians", () => {
  it("are listed by librarian; with a user, those of librarians that the user may ask", () => {
    const router = createRouter();
    router.register(definition({ services: { tools: [search] }, allow: { users: ["ada"] } }));
    router.register(definition({ id: "plain" }));
    router.register(definition({ id: "open", services: { routes } }));

    expect(router.services()).toEqual([
      { librarian: "catalog", tools: [search] },
      { librarian: "open", routes },
    ]);
    expect(router.services({ user: { id: "bob" } })).toEqual([{ librarian: "open", routes }]);
    expect(router.services({ user: { id: "ada" } })).toHaveLength(2);
  });

  it.each([
    [
      { tool: [] },
      'services: unknown key "tool". Did you mean "tools"? Valid keys: tools, routes.',
    ],
    [{ tools: [search, search] }, "services.tools[1].name: search is given twice."],
    [{ tools: [{ ...search, name: "a b" }] }, "services.tools[0].name: expected 1 to 64 of"],
    [{ tools: [{ name: "x" }] }, "services.tools[0]: expected description, input and run."],
    [{ routes: { workflows: routes["/workflows"] } }, "services.routes: expected a path such as"],
    [{ routes: { "/a/../b": routes["/workflows"] } }, "services.routes: expected a path such as"],
    [{ routes: { "/a": 7 } }, 'services.routes["/a"]: expected a function, got 7.'],
    [7, "services: expected tools and routes, got 7."],
  ])("%j are refused", (services, message) => {
    const register = () => createRouter().register(definition({ services: services as never }));

    expect(register).toThrow(`librarian "catalog": ${message}`);
  });
});

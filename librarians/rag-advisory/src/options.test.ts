import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createLibrarian } from "./index.js";
import { optionsSchema } from "./options.js";
import { createMemoryStore } from "./store/memory-store.js";

const create = (options: unknown) => () =>
  createLibrarian(options as Parameters<typeof createLibrarian>[0]); // as from plain JavaScript

describe("the options", () => {
  it.each<[options: unknown, names: string]>([
    [undefined, "options: expected an object"],
    [{}, "expected exactly one of path, postgres, documents, store and adapters"],
    [{ path: "a", postgres: "postgres://b" }, "exactly one of"],
    [{ path: " " }, 'path: expected the path of a folder, got ""'],
    [
      { postgres: "mysql://user:hunter2@db" },
      "postgres: expected a URL postgres://..., got text of 23 characters",
    ],
    [{ store: {} }, "store: expected an object with search and rows"],
    [{ path: "a", country: "FR" }, 'country: expected IN, US or UK, got "FR"'],
    [{ path: "a", countries: ["IN", "DE"] }, 'countries.1: expected IN, US or UK, got "DE"'],
    [
      { adapters: [{ country: "FR", query: () => undefined }] },
      "adapters.0: expected an adapter of IN, US or UK",
    ],
    [
      { adapters: [{ country: "IN", query: () => undefined }], countries: ["UK"] },
      "countries: expected a country that an adapter has",
    ],
    [{ path: "a", id: "Rag" }, 'id: expected 1 to 64 of a-z, 0-9 and "-", got "Rag"'],
    [{ path: "a", timeoutMs: 0 }, "timeoutMs"],
    [{ path: "a", pth: "b" }, 'options: unknown key "pth". Did you mean "path"? Valid keys: id'],
  ])("refuses %j, naming the key", (options, names) => {
    expect(create(options)).toThrow(names);
    expect(create(options)).not.toThrow("hunter2");
  });

  it("reads countries as people spell them", () => {
    const options = optionsSchema.parse({
      path: "a",
      country: "Great Britain",
      countries: ["GB", "india"],
    });

    expect(options).toMatchObject({ country: "UK", countries: ["UK", "IN"] });
  });

  it("makes a definition with a description, capabilities and examples of its own", () => {
    const definition = createLibrarian({ store: createMemoryStore() });

    expect(definition).toMatchObject({ id: "rag-advisory", capabilities: ["property.advisory"] });
    expect(definition.examples?.length).toBeGreaterThan(0);
    expect(definition.description).toContain("informs and never decides");
  });

  it("marks its paths, so that a mesh file can say them relative to itself", () => {
    const json = JSON.stringify(
      z.toJSONSchema(optionsSchema, { unrepresentable: "any", io: "input" }),
    );

    expect(json.match(/"format":"path"/g)).toHaveLength(3);
  });
});

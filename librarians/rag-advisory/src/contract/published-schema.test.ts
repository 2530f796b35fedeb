import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contractExample } from "../../test/advisory-example.js";
import { ragSchemaVersion } from "./rag-response.js";
import { ragJsonSchema } from "./rag-response.schema.js";
import { validateRAGResponse } from "./validate-rag-response.js";

/** The published files, as they were published: SHA-256 of the JSON. A line is added, never changed. */
const published: Readonly<Record<string, string>> = {
  "1.0.0": "14ede777a5648b7028cdad13e8ca543d1e57a6fc0cdb7086b9cd5a5c8cbd6ba1",
};

const folder = new URL("../../schema/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const digestOf = (json: string) =>
  createHash("sha256")
    .update(JSON.stringify(JSON.parse(json)))
    .digest("hex");

describe("the published schema", () => {
  it("RAG-041: has version 1.0.0, and its file is what the code checks", () => {
    expect(ragSchemaVersion).toBe("1.0.0");
    expect(JSON.parse(read(`rag-response-${ragSchemaVersion}.json`))).toEqual(ragJsonSchema());
  });

  it("RAG-041: is unchanged in every version: a change needs a new version and a new line above", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

    const digests = Object.fromEntries(
      files.map((name) => [name.replace(/^rag-response-|\.json$/g, ""), digestOf(read(name))]),
    );
    expect(digests).toEqual(published);
    expect(digests).toHaveProperty([ragSchemaVersion]);
  });

  it("RAG-041: has another digest for any change at all", () => {
    const json = read(`rag-response-${ragSchemaVersion}.json`);

    expect(digestOf(json.replace('"maximum": 1', '"maximum": 2'))).not.toBe(digestOf(json));
    expect(digestOf(json.replace('"summary"', '"abstract"'))).not.toBe(digestOf(json));
  });

  it("RAG-042: has a section in the migrations for each version", () => {
    const sections = read("MIGRATIONS.md").split(/^## /m).slice(1);
    const texts = new Map(sections.map((section) => [section.split("\n")[0], section]));

    for (const version of Object.keys(published)) {
      expect(texts.get(version)?.split("\n").slice(1).join("").trim()).toBeTruthy();
    }
  });

  it("RAG-042: still takes the example of 1.0.0", () => {
    expect(() => validateRAGResponse(contractExample)).not.toThrow();
  });
});

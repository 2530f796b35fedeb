import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LexicalDocument } from "./documents.js";
import { createLexicalIndex, type LexicalIndexOptions } from "./lexical-index.js";

const options: LexicalIndexOptions = {
  fields: { title: { weight: 3, b: 0.6 }, body: { weight: 1 } },
  titleField: "title",
};

function indexOf(documents: readonly LexicalDocument[]) {
  const index = createLexicalIndex(options);
  index.add(documents);
  return index;
}

const restart = {
  id: "restart",
  parent: "ops",
  fields: { title: "Restart", body: "Restart the server." },
};
const backup = {
  id: "backup",
  parent: "ops",
  fields: { title: "Backup", body: "Copy the server's disk." },
};
const taxes = {
  id: "taxes",
  parent: "money",
  fields: { title: "Taxes", body: "Pay them in time." },
};

describe("createLexicalIndex", () => {
  it("puts the document that has most of the query first", () => {
    const { hits } = indexOf([backup, taxes, restart]).search("how to restart a server");

    expect(hits.map(({ id }) => id)).toEqual(["restart", "backup"]);
    expect(hits[0]).toMatchObject({ coverage: 1, terms: ["restart", "server"], parent: "ops" });
  });

  it("gives a share between 0 and 1", () => {
    const [hit] = indexOf([backup, taxes, restart]).search("restart server").hits;

    expect(hit?.share).toBeGreaterThan(0);
    expect(hit?.share).toBeLessThanOrEqual(1);
  });

  it("reports how much of a query is known at all", () => {
    const { facts, hits } = indexOf([restart]).search("zebra");

    expect(hits).toEqual([]);
    expect(facts).toMatchObject({ known: 0, matched: 0, documents: 1 });
    expect(facts.terms).toMatchObject([{ text: "zebra", frequency: 0 }]);
  });

  it("finds nothing for a query without words", () => {
    for (const query of ["", "  ", "the of and", "\0", "!?"]) {
      expect(indexOf([restart]).search(query).hits).toEqual([]);
    }
  });

  it("orders equal documents by id, whenever they were added", () => {
    const same = (id: string) => ({ id, fields: { body: "same words" } });

    const ids = indexOf(["c", "a", "b"].map(same))
      .search("words")
      .hits.map(({ id }) => id);

    expect(ids).toEqual(["a", "b", "c"]);
  });

  it("finds only what the filter lets through", () => {
    const index = indexOf([restart, backup, taxes]);

    const { hits } = index.search("server", { filter: (id) => id !== "restart" });

    expect(hits.map(({ id }) => id)).toEqual(["backup"]);
  });

  it("keeps the beginning when more hits are asked for", () => {
    const index = indexOf(
      Array.from({ length: 60 }, (_, at) => ({
        id: `d${at}`,
        parent: `p${at % 7}`,
        fields: { title: at % 3 === 0 ? "server" : "other", body: `server ${"word ".repeat(at)}` },
      })),
    );

    const many = index.search("server word", { limit: 60 }).hits.map(({ id }) => id);
    const few = index.search("server word", { limit: 5 }).hits.map(({ id }) => id);

    expect(many.slice(0, 5)).toEqual(few);
    expect(new Set(many).size).toBe(60);
  });

  it("replaces a document whose id it knows", () => {
    const index = indexOf([restart]);

    index.add([{ ...restart, fields: { body: "nothing of that" } }]);

    expect(index.size).toBe(1);
    expect(index.search("restart").hits).toEqual([]);
  });

  it("forgets all documents of a parent", () => {
    const index = indexOf([restart, backup, taxes]);

    expect(index.removeParent("ops")).toBe(2);
    expect(index.search("server").hits).toEqual([]);
    expect(index.size).toBe(1);
  });

  it("refuses a field it does not have, a wrong limit, and no fields", () => {
    const index = indexOf([]);

    expect(() => index.add([{ id: "x", fields: { color: "red" } }])).toThrow(TypeError);
    expect(() => index.search("x", { limit: 0 })).toThrow(RangeError);
    expect(() => createLexicalIndex({ fields: {} })).toThrow(RangeError);
  });

  it("finds compound words in either spelling", () => {
    const index = createLexicalIndex(options);
    index.add([
      { id: "one", fields: { title: "Rollback", body: "A rollback takes a minute." } },
      { id: "two", fields: { title: "Check", body: "Try a dry run." } },
    ]);

    expect(index.search("roll back a release").hits.map(({ id }) => id)).toEqual(["one"]);
    expect(index.search("dryrun").hits.map(({ id }) => id)).toEqual(["two"]);
  });

  it("does not search when the signal has aborted", () => {
    expect(() => indexOf([restart]).search("restart", { signal: AbortSignal.abort() })).toThrow();
  });

  it("answers a very long query in its bounds", () => {
    const { facts } = indexOf([restart]).search(
      Array.from({ length: 50_000 }, (_, at) => `word${at}`).join(" "),
    );

    expect(facts.terms.length).toBeLessThanOrEqual(256);
  });

  it("scores after any changes as an index built afresh", () => {
    const word = fc.constantFrom(
      "server",
      "restart",
      "disk",
      "honor_labels",
      "taxes",
      "v1.2.3",
      "alpha",
    );
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
    const document = fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      parent: fc.constantFrom("p", "q", undefined),
      fields: fc.record({ title: text, body: text }),
    });
    const change = fc.oneof(
      document.map((each) => ({ add: each })),
      fc.constantFrom("a", "b", "c").map((id) => ({ remove: id })),
      fc.constantFrom("p", "q").map((parent) => ({ removeParent: parent })),
      text.map((query) => ({ query })),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), text, (changes, query) => {
        const index = createLexicalIndex(options);
        const left = new Map<string, LexicalDocument>();
        for (const each of changes) {
          if ("add" in each) {
            const { parent, ...rest } = each.add;
            const added = parent === undefined ? rest : { ...rest, parent };
            index.add([added]);
            left.set(added.id, added);
          } else if ("remove" in each) {
            expect(index.remove(each.remove)).toBe(left.delete(each.remove));
          } else if ("removeParent" in each) {
            index.removeParent(each.removeParent);
            for (const [id, { parent }] of left) if (parent === each.removeParent) left.delete(id);
          } else index.search(each.query);
        }

        const fresh = indexOf([...left.values()].reverse());

        expect(index.size).toBe(left.size);
        expect(index.search(query)).toEqual(fresh.search(query));
      }),
      { numRuns: 1_000 },
    );
  });

  it("scores many changed documents as an index built afresh", () => {
    const words = ["server", "restart", "disk", "queue", "label", "alpha", "retry"];
    const documentOf = (at: number, version: number): LexicalDocument => ({
      id: `d${at}`,
      parent: `p${Math.floor(at / 10)}`,
      fields: {
        title: words[(at * 7 + version) % words.length],
        body: words.filter((_, place) => (at + version) % (place + 2) === 0).join(" "),
      },
    });
    const left = new Map(Array.from({ length: 2_600 }, (_, at) => [at, documentOf(at, 0)]));
    const index = indexOf([...left.values()]);
    index.search("restart");
    for (let at = 0; at < 2_600; at++) {
      if (at < 900 && at % 3 > 0) {
        index.remove(`d${at}`);
        left.delete(at);
      } else if (at % 5 === 0) {
        left.set(at, documentOf(at, 3));
        index.add([documentOf(at, 3)]);
      }
    }

    const fresh = indexOf([...left.values()].reverse());

    expect(index.size).toBe(left.size);
    for (const query of ["restart the server", "alpha disk", "retry queue label"]) {
      expect(index.search(query, { limit: 100 })).toEqual(fresh.search(query, { limit: 100 }));
    }
  });

  it("is the same after a snapshot", () => {
    const index = indexOf([restart, backup, taxes]);

    const again = createLexicalIndex(options, index.snapshot());

    expect(again.search("restart server")).toEqual(index.search("restart server"));
  });
});

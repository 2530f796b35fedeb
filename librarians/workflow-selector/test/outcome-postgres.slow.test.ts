import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutcomePostgres } from "../src/index.js";
import { itBehavesLikeAnOutcomeStore, outcome } from "./outcome-store-suite.js";

let made = 0;

describe("outcomes in Postgres", () => {
  let client: PGlite;
  beforeAll(async () => {
    client = await PGlite.create();
  });
  afterAll(() => client.close());

  itBehavesLikeAnOutcomeStore(() => {
    const table = `outcomes_${made++}`;
    const open = () => createOutcomePostgres(client, { table });
    return { store: open(), reopen: open };
  });

  it("are asked for again after the server was away", async () => {
    let isAway = true;
    const store = createOutcomePostgres(
      {
        query: (text, values) =>
          isAway ? Promise.reject(new Error("away")) : client.query(text, values),
      },
      { table: "later" },
    );
    await expect(store.record(outcome("approved"))).rejects.toThrow("away");
    isAway = false;
    await store.record(outcome("approved"));

    expect(await store.read()).toEqual([outcome("approved")]);
  });

  it("refuse the name of a table that could be anything else", () => {
    expect(() => createOutcomePostgres(client, { table: 'x"; DROP' })).toThrow(/^table: expected/);
  });
});

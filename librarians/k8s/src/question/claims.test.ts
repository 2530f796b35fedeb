import { describe, expect, it } from "vitest";
import { readClaims } from "./claims.js";

describe("claimsOf", () => {
  it("takes calls for failing where the question says so", () => {
    expect(readClaims("frontend cannot reach the api")).toMatchObject({
      calls: true,
      names: false,
    });
    expect(readClaims("why does web get 'no such host' from DNS?")).toMatchObject({ names: true });
  });

  it("takes nothing for granted in an open question", () => {
    for (const query of ["is the api reachable?", "what is wrong with web?", "anything failing?"])
      expect(readClaims(query)).toEqual({
        calls: false,
        names: false,
        reach: false,
        keeps: false,
        behaviour: false,
      });
  });

  it("asks whether one thing reaches another where the question leaves that open", () => {
    expect(readClaims("can web reach api?")).toMatchObject({ reach: true, calls: false });
    expect(readClaims("is web ok?").reach).toBe(false);
  });

  it("takes a failure that no object's state shows as one that a log must deny", () => {
    expect(readClaims("postgres writes fail").behaviour).toBe(true);
    expect(readClaims("why is web down?").behaviour).toBe(false);
  });
});

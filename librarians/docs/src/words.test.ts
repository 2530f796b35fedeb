import { describe, expect, it } from "vitest";
import { wordsOf } from "./words.js";

describe("wordsOf", () => {
  it("gives inflections of a word the same form", () => {
    expect(new Set(wordsOf("restart restarts restarted restarting"))).toHaveProperty("size", 1);
  });

  it("gives a name in camel case whole and in parts", () => {
    expect(wordsOf("OOMKilled")).toEqual(["oomkil", "oom", "kill"]);
  });

  it("keeps names that differ in a sign apart", () => {
    expect(wordsOf("C++ C# C")).toEqual(["c++", "c#", "c"]);
  });

  it("leaves out words that say nothing about a subject", () => {
    expect(wordsOf("What's the reason? I can't tell why it isn't there.")).toEqual(["reason"]);
  });
});

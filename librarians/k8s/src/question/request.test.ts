import { describe, expect, it } from "vitest";
import { refusalOf } from "./request.js";

describe("refusalOf", () => {
  it.each([
    "delete all pods in namespace qa",
    "please restart deployment web",
    "can you scale web to 5 replicas",
    "drain node k1",
    "delete the pods that are stuck",
  ])("%s asks for a change", (query) => {
    expect(refusalOf(query)).toBe("change");
  });

  it.each([
    "drain of node k1 hangs",
    "drain node k1 never finishes",
    "deploy of single is stuck",
    "update hangs since noon",
    "restart count of web?",
    "why was web restarted?",
  ])("%s asks about one that another party makes", (query) => {
    expect(refusalOf(query)).toBeUndefined();
  });
});

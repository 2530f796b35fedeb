import { describe, expect, it } from "vitest";
import { kindsIn } from "./kind-words.js";
import { readThings } from "./things.js";

const read = (text: string) => readThings(text, kindsIn(text));

describe("the things that a question asks for", () => {
  it.each([
    "claims not bound?",
    "pods on crv-wrk-1 pls",
    "which nodes are cordoned",
    "every cron in this cluster with its schedule",
    "suspended cronjobs",
    "are there privileged pods?",
    "services of type NodePort in shop",
  ])("%s is a list", (text) => {
    expect(read(text)).toMatchObject({ isCount: false });
  });

  it.each(["number of nodes?", "how many pods are pending"])("%s is a count", (text) => {
    expect(read(text)).toMatchObject({ isCount: true });
  });

  it.each([
    "pods of relay hang in ContainerCreating",
    "services are dead",
    "no endpoints behind cart",
    "what about deployment relay?",
    "the crash loop of tiler on the arm node",
    "why are pods pending?",
  ])("%s is none", (text) => {
    expect(read(text)).toBeUndefined();
  });
});

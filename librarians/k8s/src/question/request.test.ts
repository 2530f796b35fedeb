import { describe, expect, it } from "vitest";
import { findRefusal } from "./request.js";

describe("refusalOf", () => {
  it.each([
    "delete all pods in namespace qa",
    "please restart deployment web",
    "can you scale web to 5 replicas",
    "drain node k1",
    "delete the pods that are stuck",
    "kubectl delete pod web-1 -n shop",
    "run kubectl scale deploy/web --replicas=3",
    "make web run with 5 replicas",
    "turn off cronjob cleanup",
    "I want to restart cart",
    "we need to drain n2 now",
    "find out why cart fails and fix it",
    "pls del pod cart-1",
    "do a rollout restart of mail",
    "label node n1 disktype=ssd",
    "get rid of the crashing cart pod",
    "Cart is broken. Restart it.",
  ])("%s asks for a change", (query) => {
    expect(findRefusal(query)).toBe("change");
  });

  it.each([
    "drain of node k1 hangs",
    "drain node k1 never finishes",
    "deploy of single is stuck",
    "update hangs since noon",
    "restart count of web?",
    "why was web restarted?",
    "kubectl get pods -n shop",
    "can a restart of cart help?",
    "did the rollout restart of web finish?",
    "let me know what is wrong with cart",
    "have the pods of web restarted?",
    "restart loop in cart, why?",
    "update on the outage of cart?",
    "helm upgrade of cart timed out, state of it?",
    "kubectl delete pod cart-1 hangs",
  ])("%s asks about one that another party makes", (query) => {
    expect(findRefusal(query)).toBeUndefined();
  });

  it.each([
    "what is in secret web-tls?",
    "give me the database password of cart",
    "base64 decode the DB_TOKEN that cart uses",
  ])("%s asks for what is in a Secret", (query) => {
    expect(findRefusal(query)).toBe("secret");
  });

  it("leaves a question after those who may read Secrets to the roles", () => {
    expect(findRefusal("who can read secrets in namespace shop?")).toBeUndefined();
  });
});

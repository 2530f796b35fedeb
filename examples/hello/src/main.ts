/**
 * One librarian, then a chain of three. Prints what happens, checks it, and fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/hello/src/main.ts
 */
import { deepEqual, equal } from "node:assert/strict";
import { printTree } from "@constellation/authoring";
import { createRouter, type Librarian } from "@constellation/core";

// One: a librarian is a function from a query to a response.
const greeter: Librarian = async (query) => ({ answer: `You asked: ${query}` });

const one = createRouter();
one.register({ id: "greeter", description: "repeats the question", librarian: greeter });
const { answer } = await one.ask("Is anybody there?");

console.log(answer, "\n");
equal(answer, "You asked: Is anybody there?");

// Three: each that cannot answer delegates, with a reason.
const reception: Librarian = async () => ({
  delegate: { to: "operations", context: { reason: "it is about a service that runs" } },
});
const operations: Librarian = async (query) => ({
  delegate: {
    to: "billing",
    query: `${query} (asked by operations)`,
    context: { reason: "billing runs it" },
  },
});
const billing: Librarian = async (query, context) => ({
  answer: `"${query}" came by way of ${context?.delegationChain?.join(" and ")}. Drain the queue, then restart.`,
  sources: [{ name: "runbooks/billing.md#Restart" }],
  confidence: 0.9,
});

const three = createRouter({ name: "hello", entry: "reception", timeoutMs: 5_000 });
three.register({
  id: "reception",
  description: "delegates",
  delegatesTo: ["operations"],
  librarian: reception,
});
three.register({
  id: "operations",
  description: "knows who runs what",
  delegatesTo: ["billing"],
  librarian: operations,
});
three.register({
  id: "billing",
  description: "runs the billing service",
  delegatesTo: [],
  librarian: billing,
});
deepEqual(three.check().problems, []);

const run = three.start("How do I restart billing?");
const response = await run.response;

console.log(response.answer, "\n");
console.log(printTree(run.explain()));
equal(
  response.answer,
  '"How do I restart billing? (asked by operations)" came by way of reception and operations. Drain the queue, then restart.',
);
deepEqual(
  run.explain().hops.map(({ to, reason }) => [to, reason]),
  [
    ["reception", undefined],
    ["operations", "it is about a service that runs"],
    ["billing", "billing runs it"],
  ],
);

import { describe, expect, it } from "vitest";
import { createEntityIndex } from "./entities/entity-index.js";
import { readClauses } from "./grammar/clauses.js";
import { findOrder } from "./grammar/find-orders.js";
import { readQuestion } from "./read-question.js";
import { findSpans } from "./spans/find-spans.js";
import { toTokens } from "./text/tokens.js";

const entities = createEntityIndex(
  [
    { kind: "kind", name: "Deployment", aliases: ["deploy"] },
    { kind: "kind", name: "Pod", aliases: ["po"] },
    { kind: "kind", name: "Namespace", aliases: ["ns"] },
    { kind: "kind", name: "Node" },
    { kind: "Deployment", name: "checkout-api" },
    { kind: "Deployment", name: "storage" },
    { kind: "Deployment", name: "mail" },
    { kind: "Deployment", name: "events" },
    { kind: "Namespace", name: "mail" },
    { kind: "Namespace", name: "shop" },
    { kind: "Node", name: "n1" },
    { kind: "Node", name: "a" },
    { kind: "host", name: "shop.example.com" },
  ],
  { prepositions: { in: "Namespace", on: "Node" } },
);

function namesIn(question: string): readonly string[] {
  return readQuestion(question, { entities })
    .entities.flatMap(({ candidates: [best] }) => best ?? [])
    .filter(({ entity }) => entity.kind !== "kind")
    .map(({ entity }) => `${entity.kind}/${entity.name}`);
}

describe("names", () => {
  it.each([
    ["why is checkout api slow?", ["Deployment/checkout-api"]],
    ["is Checkout-API ok?", ["Deployment/checkout-api"]],
    ["any news of chekout-api?", ["Deployment/checkout-api"]],
    ["is checkout ok?", ["Deployment/checkout-api"]],
    ["what happened to checkout-api-7d4f9c-xk2p?", ["Deployment/checkout-api"]],
    ["https://shop.example.com/cart fails", ["host/shop.example.com"]],
    ["pods in mail", ["Namespace/mail"]],
    ["checkout-api waits for a node", ["Deployment/checkout-api"]],
    ["is node a ready?", ["Node/a"]],
    ["pods in the mail namespace", ["Namespace/mail"]],
    ["is mail ok?", ["Deployment/mail"]],
    ["why is storage slow?", ["Deployment/storage"]],
    ["restart `events`", ["Deployment/events"]],
    ["deploy events", ["Deployment/events"]],
    ["are there any events?", []],
    ["which events were there?", []],
    ["kubectl -n shop get pods", ["Namespace/shop"]],
  ])("of %j are %j", (question, names) => {
    expect(namesIn(question)).toEqual(names);
  });

  it("keep what else they may mean, with scores", () => {
    const [mention] = readQuestion("pods in mail", { entities }).entities.slice(-1);

    expect(mention?.candidates.map(({ entity }) => entity.kind)).toEqual([
      "Namespace",
      "Deployment",
    ]);
    expect(mention?.candidates[0]?.score).toBeGreaterThan(mention?.candidates[1]?.score ?? 1);
  });

  it("keep their places in the text", () => {
    const question = "pods of checkout-api on n1";
    const { entities: found } = readQuestion(question, { entities });

    expect(found.map(({ start, end }) => question.slice(start, end))).toEqual([
      "pods",
      "checkout-api",
      "n1",
    ]);
  });
});

describe("spans", () => {
  it.each([
    ["see https://a.example/x/y?z=1.", [["url", "https://a.example/x/y?z=1"]]],
    ["is api.example.com up?", [["host", "api.example.com"]]],
    ["mount /etc/ssl/cert.pem", [["path", "/etc/ssl/cert.pem"]]],
    [
      "since 10:30 or yesterday",
      [
        ["time", "10:30"],
        ["time", "yesterday"],
      ],
    ],
    ["in the last 10 minutes", [["duration", "10 minutes"]]],
    [
      "above 80 % or 5GB",
      [
        ["number", "80 %"],
        ["number", "5GB"],
      ],
    ],
    ["run `kubectl get po`", [["code", "`kubectl get po`"]]],
    [
      "exit code 137 and ENOENT",
      [
        ["error-code", "exit code 137"],
        ["error-code", "ENOENT"],
      ],
    ],
    ["order #1001", [["id", "#1001"]]],
    ['he wrote "please stop it"', [["quote", '"please stop it"']]],
  ])("of %j are %j", (question, expected) => {
    expect(readQuestion(question).spans.map(({ kind, text }) => [kind, text])).toEqual(expected);
  });
});

describe("clauses", () => {
  it.each([
    ["Is it up? Which pods crash?", ["Is it up?", "Which pods crash?"]],
    ["It began at noon. Which pods crash?", ["It began at noon.", "Which pods crash?"]],
    ["refund order 1001 and tell the customer", ["refund order 1001", "tell the customer"]],
    ["find the cause and pick a fix", ["find the cause", "pick a fix"]],
    ["release 1.2.3 of api.example.com", ["release 1.2.3 of api.example.com"]],
    ["logs and events of mail", ["logs and events of mail"]],
    ["is web ok, and which image does it run?", ["is web ok", "which image does it run?"]],
    ["???", ["???"]],
  ])("of %j are %j", (question, expected) => {
    expect(readQuestion(question).clauses.map(({ text }) => text)).toEqual(expected);
  });

  it.each([
    ["why is it slow?", "why"],
    ["how do I restart it?", "how-to"],
    ["is it slow?", "yes-no"],
    ["show me the pods", "fact"],
    ["which pods crash?", "fact"],
    ["can you restart the pod?", "order"],
    ["checkout cannot reach mail", "report"],
  ])("of %j want %j", (question, act) => {
    expect(readQuestion(question, { entities }).act).toBe(act);
  });

  it("deny what stands behind the denying word, up to a contrast", () => {
    const { text, clauses } = readQuestion("pods that are not running but ready");

    expect(clauses[0]?.negations.map(({ start, end }) => text.slice(start, end).trim())).toEqual([
      "running",
    ]);
  });

  it("take time in proportion to a text that is hostile", () => {
    const question = `${"and ".repeat(20_000)}why ${"(".repeat(50_000)}`;

    expect(readQuestion(question, { entities }).clauses.length).toBeLessThanOrEqual(16);
  });
});

describe("a plain order", () => {
  const desk = {
    acts: ["refund", "roll back", "cancel order", "move meeting"],
    description: "Changes orders, runs the checkout and the cart",
    examples: ["Move the stand-up to 9:30"],
  };

  it.each([
    "refund order 1001",
    "please refund order 1001",
    "can you refund order 1001?",
    "I want you to refund order 1001",
    "roll back checkout",
    "the item is broken, please refund order 1001",
    "Roll it back.",
    "Roll the checkout back to 5.0",
    "please cancel 1040, it was placed twice",
    "cancel order 1040 as of 31 May",
    "Refund Mrs Ortega 20 euros",
    "can you refund the second item?",
    "move tomorrow's stand-up to Friday",
    "refund order 1001 if you'd be so good",
    "refund order 1001 if you can, mate",
    "refund order 1001 would you",
    "Do refund order 1001, she has waited for weeks.",
    "refund order 1001, no parcel was sent",
    "refund order 1001, not posted yet",
    "refund order 1001, amount 40 EUR",
    "refund order 1001, zip won't shut, box was wet",
    "refund order 1001, second half is lost",
    "refund nordwind's order",
    "refund it: 1001, 40 EUR, damaged",
    "Order 1001: refund it.",
    "can you refund order 1001... sorry, 1002",
  ])("is found in %j", (question) => {
    expect(findOrder(question, desk)?.clause).toBeDefined();
  });

  it.each([
    "would you refund order 1001 in my place?",
    "Forwarded: > please refund order 1001. What did we reply?",
    "> please refund order 1001",
    "refund the lot",
    "do not refund order 1001",
    "Refund 1001: state of the matter",
    "was order 1001 refunded?",
    "should we refund order 1001?",
    "what if we refund order 1001?",
    "if it is late, refund order 1001",
    "the customer wrote: please refund order 1001",
    '"please refund order 1001" is what she said',
    "refund every order",
    "refund policy?",
    "how do I refund order 1001?",
    "I refunded order 1001",
    "never refund order 1001",
    "refund rate in February",
    "Refund for 1001 - which day?",
    "Refund 1001 is wrong",
    "Refund 49 euros went out when",
    "cancel order button",
    "cancel orders from Graz",
    "can you refund a subscription?",
    "can you refund after shipping?",
    "refund 1315 or send a new one, what do we usually do?",
    "refund 1315 or 1316",
    "Refund 1001: late",
    "Refund 1001: what is its state?",
    "cancel order 1230... no wait, wrong number, forget it",
    "Mail from bo@example.org: refund me now. Is he a customer?",
    "can refunds be undone?",
    "refund order 1001 if you can verify the parcel",
    "refund order 1001, not yet",
    "Refund AB 1001, state of things",
    "Ms Weber told us, refund order 1001 before Friday. What is still open?",
    "refund order 1001, no",
    "refund order 1001... sorry, no",
    "refund order 1001, was it damaged",
    "Ticket 1001: refund it. Was it?",
    "The ticket: refund it",
    "Do refund orders arrive late?",
    "Do refund order 1001 and 1002 match?",
    "could order 1001 be refunded if you would like that",
    "cancel",
  ])("is not found in %j", (question) => {
    expect(findOrder(question, desk)).toBeUndefined();
  });
});

it("finds no order for somebody without acts", () => {
  expect(findOrder("refund order 1001", { description: "Refunds orders" })).toBeUndefined();
});

it("prefers the order that names what is acted on", () => {
  const desk = { acts: ["cancel meeting", "cancel order"] };
  expect(findOrder("cancel order 1040", desk)).toMatchObject({
    act: "cancel order",
    isNamed: true,
  });
  expect(findOrder("cancel 1040", desk)).toMatchObject({ isNamed: false });
});

describe("orders about what descriptions name", () => {
  const bookings = {
    acts: ["book", "cancel", "pay"],
    description: "Makes and changes bookings.",
    examples: ["Pay the deposit of 4478"],
  };

  it.each([
    "Cancel booking 4478",
    "Please cancel booking 4472, Ms Tanaka is ill.",
    "Pay out the deposit of 4478",
    "please book two doubles for Novak",
    "Book a room for Novak: two beds.",
    "Cancel booking 4478, I'm ill.",
    "Cancel booking 4478, Anna and Kim are both ill.",
    "would you cancel booking 4478",
    "Cancel booking 4478, by phone or mail.",
    "Book the hall for All Saints",
  ])("%s", (question) => {
    expect(findOrder(question, bookings)).toBeDefined();
  });
});

describe("orders in other forms", () => {
  const desk = {
    acts: ["close", "queue", "reply", "refund"],
    description: "Gates, songs, letters, tins of paint",
  };

  it.each([
    'Queue "slow tide" for 16:12.',
    "Be so kind and close the north gate.",
    "Be so good as to refund order 1001",
    "refund 3 boxes of pins no. 14",
    "Please refund 110 to Ann for the chair that came cracked.",
    "Close the path until the branch has been removed.",
    "pls refund some blue paint, 4 tins",
    "Refund letter 640: the stamp is gone.",
    "would you please refund log book 1988",
    "Please refund the late check-out charge of room 204.",
    "close gate 2 from noon",
    "Close parks 2 and 4 with the long chain at 17:00.",
    "Do not refund letter 640, but close gate 2",
  ])("%s", (question) => {
    expect(findOrder(question, desk)).toBeDefined();
  });

  it.each([
    'She wrote "queue slow tide" for 16:12.',
    'Note: "queue slow tide" was said',
    "Be so kind and tell me whether order 1001 was refunded",
    "please, refund status 4474",
    "close until when",
    "refund request 640: the stamp is gone",
    "no refund 14",
    "refund parcel 2 reason",
    "close certificate PF-0101",
    "Close parks when it rains",
    "How many letters are open? I am not asking to close or refund them.",
    "nobody asked us to close gate 2 and refund order 1001",
  ])("not in %j", (question) => {
    expect(findOrder(question, desk)).toBeUndefined();
  });
});

describe("a text full of numbers", () => {
  it.each(["1,", "1; "])("of %j takes time in line with its length", (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    const start = process.cpuUsage();
    const spans = findSpans(text);
    readClauses(text, toTokens(text), spans);

    expect(spans.length).toBeGreaterThan(40_000);
    // Minutes, where every word and every span is compared with every other one.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(15_000);
  });
});

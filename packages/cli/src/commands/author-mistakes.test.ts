import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

/** A librarian as an author writes it, with a mistake in what it does. */
const librarian = (body: string, id = "on-call") => `export const createLibrarian = () => ({
  id: "${id}",
  description: "Knows who is on call.",
  librarian: async (query, context) => {
    ${body}
  },
});
`;
const response = (body: string) => ({ "on-call.js": librarian(body) });
const module = (text: string) => ({ "on-call.js": text });

describe("the author of a librarian sees in one line", () => {
  it.each([
    [
      "that it threw, and where",
      response("return rota.today;"),
      /^on-call threw ReferenceError: rota is not defined$/m,
    ],
    [
      "that it returns nothing",
      response("const answer = 'Ann';"),
      /^response: expected an object, got undefined$/m,
    ],
    [
      "that a key of its response is misspelt",
      response("return { anwser: 'Ann' };"),
      /^response: unknown key "anwser"\. Did you mean "answer"\?$/m,
    ],
    [
      "that it did not wait for its answer",
      response("return { answer: (async () => 'Ann')() };"),
      /^answer: expected text, got a promise \(is an `await` missing\?\)$/m,
    ],
    [
      "that it names a delegate nobody is called",
      response("return { delegate: { to: 'rotta', query } };"),
      /^No answer: No librarian is registered as "rotta"\./m,
    ],
    [
      "that it delegates in a circle",
      response("return { delegate: { to: 'on-call', query } };"),
      /^No answer: on-call -> on-call is a loop\./m,
    ],
    [
      "that its metadata cannot be sent",
      response("return { answer: 'Ann', metadata: { seen: 1n } };"),
      /^metadata\.seen: expected what JSON can carry, got a bigint$/m,
    ],
    [
      "that its confidence is out of range",
      response("return { answer: 'Ann', confidence: 85 };"),
      /^confidence: expected a number from 0 to 1, got 85$/m,
    ],
    [
      "that it does not end at its signal",
      response("await new Promise(() => setTimeout(() => {}, 1e6).unref());"),
      /deadline TIMEOUT .* 1 still busy$/m,
    ],
    [
      "that it stops the event loop",
      response(
        "const end = performance.now() + 400; while (performance.now() < end); return { answer: 'Ann' };",
      ),
      /on-call .* answer, blocked the event loop for/m,
    ],
    [
      "that its module exports no librarian",
      module("export const librarian = 1;"),
      /^error: mesh\.yaml:1:21: .*"\.\/on-call\.js" exports no createLibrarian/m,
    ],
    [
      "that its module has an error of syntax",
      module("export const a = ;"),
      /^error: mesh\.yaml:1:21: .*"\.\/on-call\.js": cannot be loaded: .*on-call\.js:1/m,
    ],
    [
      "that it has no description",
      module(
        "export const createLibrarian = () => ({ id: 'on-call', librarian: async () => ({ answer: 'Ann' }) });",
      ),
      /^error: mesh\.yaml:1:14: .*"on-call": description: expected text, got undefined/m,
    ],
  ])("%s", async (_, files, line) => {
    const cwd = folderWith({
      "mesh.yaml": "librarians: [{ use: ./on-call.js }]",
      "package.json": '{ "type": "module" }',
      ...files,
    });

    const { stderr, stdout } = await run(["ask", "--timeout", "1500ms", "Who?"], {
      cwd,
      isTTY: true,
      env: { NO_COLOR: "1" },
    });

    expect(stderr + stdout).toMatch(line);
  });
});

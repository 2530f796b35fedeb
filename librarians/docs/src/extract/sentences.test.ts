import { describe, expect, it } from "vitest";
import { splitSentences } from "./sentences.js";

describe("sentencesOf", () => {
  it.each([
    ["One. Two! Three?", ["One.", "Two!", "Three?"]],
    [
      "Use a name, e.g. Checkout, or an id. Then go on.",
      ["Use a name, e.g. Checkout, or an id.", "Then go on."],
    ],
    ["Run `a. B` first. Then wait.", ["Run `a. B` first.", "Then wait."]],
    ["See [the page. It is long](x.md). Next.", ["See [the page. It is long](x.md).", "Next."]],
    ["Version 2.26 is out. 3 pods run.", ["Version 2.26 is out.", "3 pods run."]],
    ["It ends with a colon:", ["It ends with a colon:"]],
    ["**Note.** It is bold.", ["**Note.**", "It is bold."]],
    [" \n", []],
  ])("cuts %j", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it("takes time in proportion to the text", () => {
    const startedAt = process.cpuUsage();

    splitSentences("a. `b (c [d ".repeat(1_600));
    splitSentences("A. ".repeat(100_000));

    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(2_000);
  });
});

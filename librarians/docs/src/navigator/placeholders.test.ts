import { describe, expect, it } from "vitest";
import { createMemoryKnowledgeBase } from "./knowledge-base-view.js";
import { validateNavigatorResponse } from "./validate-navigator-response.js";

const base = createMemoryKnowledgeBase({
  "ssl.md":
    "# SSL\n\nPut the certificate into the folder `/path/to/certs` and restart the server.\n",
});

function errorsOf(answer: string) {
  const { errors } = validateNavigatorResponse(
    {
      answer,
      sources: [{ file: "ssl.md", section: "SSL", relevance: "It is about certificates." }],
      confidence: "high",
      confidenceReason: "High confidence: the section SSL is about certificates.",
      outOfDomain: false,
    },
    base,
  );
  return errors.map(({ message }) => message);
}

describe("an answer with placeholders", () => {
  it.each([
    "Put the certificate into `/path/to/your-file.md` and restart the server (ssl.md, SSL).",
    "Put the certificate of [INSERT NAME] into the folder and restart the server (ssl.md, SSL).",
    "TODO: put the certificate into the folder and restart the server (ssl.md, SSL).",
    `Put the certificate with ${"$"}{YOUR_KEY} into the folder and restart the server (ssl.md, SSL).`,
    "Lorem ipsum: put the certificate into the folder and restart the server (ssl.md, SSL).",
    " ",
  ])("is not valid: %s", (answer) => {
    expect(errorsOf(answer)).not.toEqual([]);
  });

  it("is valid where the cited section has them", () => {
    expect(
      errorsOf(
        "Put the certificate into the folder `/path/to/certs` and restart the server (ssl.md, SSL).",
      ),
    ).toEqual([]);
  });
});

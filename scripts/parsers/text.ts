import {
  promptFence,
  redactJson,
  redactSecrets,
  sanitizeData,
  sanitizeMarkdown,
  sanitizeText,
} from "@constellation/authoring";
import {
  toPlainText,
  withoutPersonalData,
} from "../../librarians/rag-advisory/src/advisory/plain-text.js";
import { readAreas } from "../../librarians/rag-advisory/src/country/area.js";
import { readAmounts } from "../../librarians/rag-advisory/src/country/money.js";
import { findForbidden } from "../../librarians/rag-advisory/src/rules/content-rules.js";
import { splitSentences } from "../../librarians/rag-advisory/src/rules/tokens.js";
import { isRecord, parseJson } from "./json.js";
import { mebibyte, type Parser } from "./parser.js";
import { jsonShapes, markdownShapes, proseShapes } from "./shapes.js";

/** What cleans, judges or cuts prose of others. */
export const textParsers: readonly Parser[] = [
  { name: "remote answer", length: mebibyte, shapes: markdownShapes, parse: sanitizeMarkdown },
  { name: "text with secrets", length: mebibyte, shapes: markdownShapes, parse: redactSecrets },
  {
    name: "record with secrets",
    length: mebibyte,
    shapes: jsonShapes,
    parse: (text) => redactJson(parseJson(text)),
  },
  { name: "text for a line", length: mebibyte, shapes: proseShapes, parse: sanitizeText },
  {
    name: "text for a prompt",
    length: mebibyte,
    shapes: markdownShapes,
    parse: (text) => promptFence({ name: text.slice(0, 100), text }),
  },
  {
    name: "data of another system",
    length: mebibyte,
    shapes: jsonShapes,
    parse(text) {
      const value = parseJson(text);
      return isRecord(value) ? sanitizeData(value) : undefined;
    },
  },
  // An advisory is a few thousand characters.
  { name: "rules of an advisory", length: 65_536, shapes: proseShapes, parse: findForbidden },
  { name: "sentences", length: mebibyte, shapes: proseShapes, parse: splitSentences },
  { name: "amounts", length: mebibyte, shapes: proseShapes, parse: readAmounts },
  { name: "areas", length: mebibyte, shapes: proseShapes, parse: readAreas },
  {
    name: "text of an advisory",
    length: mebibyte,
    shapes: proseShapes,
    parse: (text) => [toPlainText(text), withoutPersonalData(text)],
  },
];

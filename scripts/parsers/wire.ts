import { readJsonReply } from "@constellation/authoring";
import { MeshError, parseTraceparent } from "@constellation/core";
import { createJsonTextReader } from "../../packages/authoring/src/generation/json-text-reader.js";
import { gather } from "../../packages/models/src/openai/gather.js";
import { decodeCall } from "../../packages/transport/src/envelope/call-envelope.js";
import { decodeReport } from "../../packages/transport/src/envelope/remote-report.js";
import { decodeReply } from "../../packages/transport/src/envelope/reply-envelope.js";
import { decodeMessage } from "../../packages/transport/src/message.js";
import { parseJson } from "./json.js";
import { mebibyte, type Parser } from "./parser.js";
import { envelopeShapes, jsonShapes, streamShapes } from "./shapes.js";

/** What models and other machines send. */
export const wireParsers: readonly Parser[] = [
  { name: "model's reply", length: mebibyte, shapes: jsonShapes, parse: readJsonReply },
  {
    name: "model's draft",
    length: mebibyte,
    shapes: jsonShapes,
    parse(text) {
      const reader = createJsonTextReader(["a"]);
      return piecesOf(text).map((piece) => reader.read(piece));
    },
  },
  {
    name: "model's stream",
    length: mebibyte,
    shapes: streamShapes,
    refuses: [MeshError],
    parse: (text) => gather(streamOf(text), () => undefined, undefined),
  },
  {
    name: "call of another mesh",
    length: mebibyte,
    shapes: envelopeShapes,
    refuses: [MeshError],
    parse: (text) => decodeCall(parseJson(text)),
  },
  {
    name: "reply of another mesh",
    length: mebibyte,
    shapes: envelopeShapes,
    parse(text) {
      const value = parseJson(text);
      return [decodeReply(value, 20_000), decodeReport(value)];
    },
  },
  {
    name: "message of another machine",
    length: mebibyte,
    shapes: envelopeShapes,
    parse: (text) => decodeMessage(Buffer.from(`${text.length}\n${text}`)),
  },
  {
    name: "trace header",
    length: 8_192,
    shapes: envelopeShapes,
    parse: (text) => parseTraceparent(text),
  },
];

function piecesOf(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / 1_000) }, (_, at) =>
    text.slice(at * 1_000, (at + 1) * 1_000),
  );
}

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream();
}

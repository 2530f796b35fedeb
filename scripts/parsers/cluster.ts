import { MeshError } from "@constellation/core";
import { signalIn } from "../../librarians/k8s/src/answer/signal-facts.js";
import { admit } from "../../librarians/k8s/src/cluster/admit.js";
import { collectContent } from "../../librarians/k8s/src/cluster/content.js";
import { readTail } from "../../librarians/k8s/src/cluster/log-tail.js";
import { parseQuestion } from "../../librarians/k8s/src/question/question.js";
import { parseDocuments } from "../../librarians/k8s/src/snapshot/documents.js";
import { readKubectlText } from "../../librarians/k8s/src/snapshot/kubectl/read-text.js";
import { parseLogKey, splitLogs } from "../../librarians/k8s/src/snapshot/log-place.js";
import { maxDocumentLength } from "../../librarians/k8s/src/snapshot/yaml.js";
import { openRecording } from "../../librarians/metrics/src/reader/recording.js";
import { readAlertedObjects } from "../../librarians/workflow-selector/src/incident/read-alerts.js";
import { parseJson } from "./json.js";
import { mebibyte, type Parser } from "./parser.js";
import { clusterShapes, jsonShapes, kubectlShapes, questionShapes, yamlShapes } from "./shapes.js";
import { withFile } from "./with-file.js";

const now = Date.parse("2026-03-01T12:00:00Z");

/** What clusters, alerts and people who ask about them write. */
export const clusterParsers: readonly Parser[] = [
  {
    name: "k8s snapshot",
    length: maxDocumentLength,
    shapes: yamlShapes,
    parse: (text) => [...parseDocuments(text)],
  },
  {
    name: "k8s objects",
    length: mebibyte,
    shapes: clusterShapes,
    parse(text) {
      const value = parseJson(text);
      const collector = collectContent(now);
      collector.add(value);
      return [collector.content().objects, collector.content().events, admit(value)];
    },
  },
  {
    name: "k8s kubectl text",
    length: mebibyte,
    shapes: kubectlShapes,
    parse: (text) => readKubectlText(text, now),
  },
  {
    name: "k8s logs",
    length: mebibyte,
    shapes: kubectlShapes,
    parse: (text) => [splitLogs(text), readTail(text), parseLogKey(text.slice(0, 4_096))],
  },
  { name: "k8s question", length: 20_000, shapes: questionShapes, parse: parseQuestion },
  {
    name: "alert",
    length: mebibyte,
    shapes: clusterShapes,
    refuses: [MeshError],
    parse(text) {
      const value = parseJson(text);
      return [readAlertedObjects(value), signalIn({ signal: value })];
    },
  },
  {
    name: "Prometheus recording",
    length: mebibyte,
    shapes: jsonShapes,
    refuses: [MeshError],
    parse: (text) =>
      withFile("a.json", text, (folder) => openRecording(`${folder}/a.json`).then(() => undefined)),
  },
];

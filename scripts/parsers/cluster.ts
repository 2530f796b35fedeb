import { MeshError } from "@constellation/core";
import { readQuestion } from "@constellation/nlu";
import { createLexicalIndex } from "@constellation/retrieval";
import { stripQuestionFraming } from "../../librarians/docs/src/strip-question-framing.js";
import { signalIn } from "../../librarians/k8s/src/answer/signal-facts.js";
import { admit } from "../../librarians/k8s/src/cluster/admit.js";
import { collectContent } from "../../librarians/k8s/src/cluster/content.js";
import { readTail } from "../../librarians/k8s/src/cluster/log-tail.js";
import { parseQuestion } from "../../librarians/k8s/src/question/question.js";
import { parseDocuments } from "../../librarians/k8s/src/snapshot/documents.js";
import { readKubectlText } from "../../librarians/k8s/src/snapshot/kubectl/read-text.js";
import { parseLogKey, splitLogs } from "../../librarians/k8s/src/snapshot/log-place.js";
import { maxDocumentLength } from "../../librarians/k8s/src/snapshot/yaml.js";
import { readIntent } from "../../librarians/metrics/src/question/intent.js";
import { readTimeWindow } from "../../librarians/metrics/src/question/time-window.js";
import { openRecording } from "../../librarians/metrics/src/reader/recording.js";
import { correctPlaces } from "../../librarians/rag-advisory/src/question/correct-places.js";
import { otherLanguage } from "../../librarians/rag-advisory/src/question/language.js";
import { resolvePlaces } from "../../librarians/rag-advisory/src/question/resolve-places.js";
import { isAboutProperty } from "../../librarians/rag-advisory/src/question/understand.js";
import { readAlertedObjects } from "../../librarians/workflow-selector/src/incident/read-alerts.js";
import { readSignal } from "../../librarians/workflow-selector/src/incident/read-signal.js";
import { parseJson } from "./json.js";
import { mebibyte, type Parser } from "./parser.js";
import { clusterShapes, jsonShapes, kubectlShapes, questionShapes, yamlShapes } from "./shapes.js";
import { withFile } from "./with-file.js";

const now = Date.parse("2026-03-01T12:00:00Z");

const pages = createLexicalIndex({ fields: { text: { weight: 1 } } });
pages.add([{ id: "a", fields: { text: "Restart checkout when the pods of the node crash." } }]);

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
  { name: "question", length: 20_000, shapes: questionShapes, parse: (text) => readQuestion(text) },
  {
    name: "metrics question",
    length: 20_000,
    shapes: questionShapes,
    parse: (text) => [
      readIntent(readQuestion(text)),
      readTimeWindow(readQuestion(text), now, {
        windowMs: 60_000,
        baselineMs: 60_000,
        lookbackMs: 60_000,
      }),
    ],
  },
  {
    name: "docs question",
    length: 20_000,
    shapes: questionShapes,
    parse: (text) => [stripQuestionFraming(text), pages.search(text)],
  },
  {
    name: "property question",
    length: 20_000,
    shapes: questionShapes,
    parse: (text) => [
      correctPlaces(text),
      resolvePlaces(text),
      isAboutProperty(text),
      otherLanguage(text),
    ],
  },
  {
    name: "alert",
    length: mebibyte,
    shapes: clusterShapes,
    refuses: [MeshError],
    parse(text) {
      const value = parseJson(text);
      return [readAlertedObjects(value), readSignal(value), signalIn({ signal: value })];
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

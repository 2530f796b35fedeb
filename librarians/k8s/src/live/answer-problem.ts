import type { ReadProblem, ReadProblemCode } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import type { HttpAnswer } from "./http-get.js";

const codes: Readonly<Record<number, ReadProblemCode>> = {
  401: "forbidden",
  403: "forbidden",
  404: "notFound",
  408: "timeout",
  410: "gone",
  413: "tooLarge",
  429: "throttled",
  504: "timeout",
};

const sentences: Readonly<Record<ReadProblemCode, string>> = {
  forbidden: "The cluster does not allow reading it (403). Grant get and list on it.",
  notFound: "The cluster does not know this kind.",
  notRecorded: "It was not recorded.",
  notAllowed: "Reading it was not allowed.",
  timeout: "There was no whole answer in time.",
  malformed: "The answer is not what a Kubernetes API server gives.",
  gone: "The list changed too fast to be read to its end.",
  throttled: "The cluster was asked too often.",
  tooLarge: "There is more than may be read; what was read is given.",
  unavailable: "The cluster could not be reached, or failed.",
};

/** A problem in plain words. */
export function problem(code: ReadProblemCode, subject: string, status?: number): ReadProblem {
  return { code, subject, message: sentences[code], ...(status !== undefined && { status }) };
}

/** The problem of a failed answer. Undefined for a good one. */
export function problemOfAnswer(answer: HttpAnswer, subject: string): ReadProblem | undefined {
  const { status } = answer;
  if (status === 200) return undefined;
  if (status === 401) {
    const message =
      "The cluster rejected the credentials (401). Renew them, or check the user of the kubeconfig's context.";
    return { code: "forbidden", subject, message, status };
  }
  return problem(codes[status] ?? (status >= 500 ? "unavailable" : "malformed"), subject, status);
}

/** True for a 404 of an object, as opposed to one of an unknown kind. */
export function isMissingObject(answer: HttpAnswer, name: string): boolean {
  if (answer.status !== 404) return false;
  const status = parseJson(answer.body);
  return textAt(status, "reason") === "NotFound" && textAt(status, "details", "name") === name;
}

/** Undefined for a body that is not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

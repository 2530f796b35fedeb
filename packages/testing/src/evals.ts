export {
  type CheckedExpectation,
  checkResponse,
  type EvalResponse,
} from "./evals/check-response.js";
export {
  type ComparedAmount,
  type CompareOptions,
  compareReports,
  type EvalComparison,
  printComparison,
} from "./evals/compare-reports.js";
export {
  type EvalCase,
  type EvalExpect,
  type ExpectationName,
  type ExpectedIds,
  expectationNames,
  type Wanted,
} from "./evals/eval-case.js";
export { evalCaseSchema } from "./evals/eval-case.schema.js";
export type { EvalDurations, EvalReport, EvalResult, EvalShare } from "./evals/eval-report.js";
export {
  cohensKappa,
  createJudge,
  type EvalJudge,
  type JudgedAnswer,
  type Judgement,
} from "./evals/judge.js";
export { printAnnotations, printJUnit } from "./evals/print-ci.js";
export { printEvalTable } from "./evals/print-eval-table.js";
export { readCases } from "./evals/read-cases.js";
export {
  askRouter,
  type EvalAsk,
  type EvalAskOptions,
  type EvalOptions,
  evalDefaults,
  runEval,
} from "./evals/run-eval.js";

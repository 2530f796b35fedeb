export { type AnyRequest, type AroundCall, withCalls } from "./contract/ai-client.js";
export { checkDelegationOptions } from "./contract/context.js";
export { didYouMean, nearestName } from "./contract/did-you-mean.js";
export { checkOptions, idForm, signalOption } from "./contract/option-checks.js";
export {
  type DefaultsOf,
  describeOption,
  type FieldsOption,
  minimum,
  type NumberOption,
  type Option,
  type OptionTable,
  readDefaults,
  type TextForm,
} from "./contract/option-table.js";
export { releaseVersion } from "./contract/release-version.js";
export { pathProblem } from "./contract/remote-call.js";
export { mergeStrategyForm, readMergeStrategy } from "./contract/response.js";
export { carriesClaims, DataScope } from "./contract/take-data.js";
export {
  type Defined,
  describeThrown,
  describeValue,
  isRecord,
  thrownText,
  withoutUndefined,
} from "./contract/unknown-value.js";
export { isAllowed, maxUserLimits } from "./contract/user.js";
export {
  delegatesOf,
  partialBelowConfidence,
  type ResponseGiver,
  validateGiven,
} from "./contract/validate-response.js";
export { answerersOf, mayAnswer } from "./contract/waiting.js";
export { addUsage, type CallSize, checkUsage, sumUsage } from "./events/usage.js";
export { definitionTable } from "./registry/check-definition.js";
export { cacheKey } from "./resilience/cache-key.js";
export { decisionOf, withoutJournal } from "./router/hop/durable.js";
export { schemaText } from "./router/run/known-usage.js";
export { routerTable } from "./router/run/router-options.js";
export { loadedApi, otelApi } from "./tracing/otel-api.js";
export {
  type ActiveSpan,
  activeTracer,
  contextOfTrace,
  inSpan,
  openSpan,
  recordFailure,
  traceOfSpan,
} from "./tracing/spans.js";

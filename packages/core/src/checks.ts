export { isAllowed } from "./contract/allow.js";
export { pathProblem } from "./contract/call-path.js";
export { delegatesOf } from "./contract/check-delegates.js";
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
export { carriesClaims, DataScope } from "./contract/take-data.js";
export { describeThrown, describeValue, isRecord } from "./contract/unknown-value.js";
export {
  partialBelowConfidence,
  type ResponseGiver,
  validateGiven,
} from "./contract/validate-response.js";
export { type Defined, withoutUndefined } from "./contract/without-undefined.js";
export { type CallSize, checkUsage } from "./events/usage.js";
export { definitionTable } from "./registry/check-definition.js";
export { cacheKey } from "./resilience/cache-key.js";
export { withoutJournal } from "./router/hop/durable.js";
export { schemaText } from "./router/run/known-usage.js";
export { routerTable } from "./router/run/router-options.js";

export {
  contextSchema,
  librarianInfoSchema,
  threadSchema,
  traceContextSchema,
  userSchema,
} from "./contract/context.schema.js";
export {
  delegateRequestSchema,
  errorCodeSchema,
  errorInfoSchema,
  mergeStrategySchema,
  responseSchema,
  sourceSchema,
} from "./contract/response.schema.js";

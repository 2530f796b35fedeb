export {
  contextSchema,
  librarianInfoSchema,
  threadSchema,
  traceContextSchema,
  userSchema,
} from "./schemas/context.schema.js";
export {
  delegateRequestSchema,
  errorCodeSchema,
  errorInfoSchema,
  mergeStrategySchema,
  responseSchema,
  sourceSchema,
} from "./schemas/response.schema.js";

export { withBreaker } from "./wrappers/with-breaker.js";
export { type WithCacheOptions, withCache } from "./wrappers/with-cache.js";
export { withFallback } from "./wrappers/with-fallback.js";
export { withRetry } from "./wrappers/with-retry.js";
export { type Wrapper, wrap } from "./wrappers/wrapper.js";

export { createLruCache, type LruCacheOptions } from "./lru-cache.js";

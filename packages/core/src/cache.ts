export { createLruCache, type LruCacheOptions } from "./cache/lru-cache.js";

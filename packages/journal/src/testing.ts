export { itReplays } from "./it-replays.js";
export { type StoreSuiteOptions, testJournalStore } from "./store-suite.js";

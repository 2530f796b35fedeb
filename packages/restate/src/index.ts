import "./with-resolvers.js";

export { createRestateJournal, type RestateJournal } from "./create-restate-journal.js";
export type { RestateJournalOptions } from "./settings.js";

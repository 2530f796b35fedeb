export {
  createStatusLibrarian as createLibrarian,
  createStatusLibrarian,
  optionsSchema,
  type StatusLibrarianOptions,
} from "./status-librarian.js";
export type { Component, StatusPage } from "./status-page.js";

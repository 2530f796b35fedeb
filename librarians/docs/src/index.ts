export {
  createDocsLibrarian,
  createDocsLibrarian as createLibrarian,
} from "./docs-librarian.js";
export { createFolderPageReader } from "./folder-page-reader.js";
export {
  type DocsLibrarianOptions,
  docsLibrarianDefaults,
  optionsSchema,
} from "./options.js";
export type { PageInfo, PageReader } from "./page-reader.js";

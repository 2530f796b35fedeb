/** The parser's browser build, which the server serves beside the page's own files. */
export { default } from "markdown-it";

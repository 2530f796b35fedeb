/** The layout library's browser build, which the server serves beside the page's own files. */
export { Graph, layout } from "@dagrejs/dagre";

// What the test of `useChat` uses of React, whose own types declare elements of pages for every file.
declare module "react" {
  export function createElement(type: unknown, props?: unknown, ...children: unknown[]): object;
}
declare module "react-dom/server" {
  export function renderToStaticMarkup(element: object): string;
}

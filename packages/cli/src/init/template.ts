/** Parameters of a template. */
export interface TemplateValues {
  /** Name of the package, and id of the librarian or mesh: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Version range of the packages of Constellation. */
  readonly range: string;
  /** Language of its code, and extension of the files with it. */
  readonly language: Language;
}

/** Language of a new project. */
export type Language = "ts" | "js";

/** Code for one language: each function returns empty text for the other. */
export function codeIn(language: Language) {
  return {
    ts: (code: string) => (language === "ts" ? code : ""),
    js: (code: string) => (language === "js" ? code : ""),
  };
}

/** Versions of what TypeScript projects are checked with. */
export const typescriptPackages = { "@types/node": "^20.19.0", typescript: "^6.0.3" };

/** Runs TypeScript before Node.js 22.18. */
export const typescriptRunner = { tsx: "^4.23.15" };

/** Its dependencies need no install script, about which npm would warn. */
export const allowScripts = { esbuild: false };

/** Node.js that this command and a new project run on. */
export const engines = { node: ">=20.19" };

/** A `tsconfig.json` for code that Node.js runs by leaving its types out. */
export function tsconfigText(options: object, include: readonly string[]): string {
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    ...options,
  };
  return manifestText({ compilerOptions, include });
}

/** Files of a new project, by path. */
export type Template = (values: TemplateValues) => Readonly<Record<string, string>>;

/** A manifest as npm writes it. */
export function manifestText(manifest: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

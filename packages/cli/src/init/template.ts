/** What the files of a template are made with. */
export interface TemplateValues {
  /** Name of the package, and id of the librarian or mesh: `^[a-z0-9-]+$`. */
  readonly name: string;
  /** Version range of the packages of Constellation. */
  readonly range: string;
}

/** Files of a new project, by path. */
export type Template = (values: TemplateValues) => Readonly<Record<string, string>>;

/** A manifest as npm writes it. */
export function manifestText(manifest: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url));
/** Folder of the pages that VitePress reads. Made anew by each build. */
export const pagesFolder = join(root, "docs/.pages");
/** Where files that are no page are shown. */
export const repository = "https://github.com/constellation-mesh/constellation";

/** Address of all versions of the site, without a slash at its end; empty: this build stands alone. */
export const siteAddress = process.env.DOCS_SITE ?? "";
/** Path that the pages of this build are below. */
export const basePath =
  siteAddress === ""
    ? "/"
    : `${new URL(siteAddress).pathname.replace(/\/$/, "")}/${process.env.DOCS_RELEASE ?? "next"}/`;

/** A page of the site. */
export interface Page {
  /** Path in the repository. */
  readonly file: string;
  /** Path on the site, without an extension: `packages/core`. */
  readonly path: string;
  readonly title: string;
  /** Its first paragraph, on one line. */
  readonly summary: string;
}

/** Every page that is written by hand: the README, `docs/`, and the READMEs of packages, librarians and examples. */
export function listPages(): readonly Page[] {
  const readmes = ["packages", "librarians", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => existsSync(join(root, folder, name, "README.md")))
      .map((name) => ({ file: `${folder}/${name}/README.md`, path: `${folder}/${name}` })),
  );
  const docs = ["", "guides", "cookbook", "reference", "decisions"].flatMap((folder) =>
    readdirSync(join(root, "docs", folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => {
        const path = posix.join(folder, name.slice(0, -".md".length));
        return {
          file: posix.join("docs", folder, name),
          path: path.endsWith("/README") ? path.replace("README", "index") : path,
        };
      }),
  );
  const pages = [{ file: "README.md", path: "index" }, ...docs, ...readmes];
  return pages.map((page) => ({ ...page, ...headOf(readFileSync(join(root, page.file), "utf8")) }));
}

function headOf(text: string): Pick<Page, "title" | "summary"> {
  const [title = "", ...paragraphs] = text
    .replaceAll(/<!--.*?-->/gs, "")
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const summary = paragraphs.find((part) => /^[A-Z`[*]/.test(part)) ?? "";
  return { title: title.replace(/^# /, ""), summary: summary.replaceAll(/\s+/g, " ") };
}

/** The target of a link on the site. */
export interface Target {
  readonly href: string;
  /** Path in the repository of an image. */
  readonly image?: string;
}

/**
 * Where a link of a page leads on the site: to a page, or to a file of the repository on GitHub.
 *
 * @param byFile - Paths of pages, by file.
 * @returns Undefined for a file that does not exist.
 */
export function resolveLink(
  link: string,
  file: string,
  byFile: ReadonlyMap<string, string>,
): Target | undefined {
  if (/^(?:[a-z]+:|#)/i.test(link)) return { href: link };
  const [target = "", hash] = link.split("#", 2);
  const whole = posix.normalize(posix.join(dirname(file), target)).replace(/\/$/, "");
  const at = join(root, whole);
  if (!existsSync(at)) return undefined;
  const isFolder = statSync(at).isDirectory();
  const end = hash === undefined ? "" : `#${hash}`;
  const page =
    byFile.get(whole) ?? (isFolder ? byFile.get(posix.join(whole, "README.md")) : undefined);
  if (page !== undefined) return { href: `/${page.replace(/(^|\/)index$/, "$1")}${end}` };
  if (/\.(?:png|svg)$/.test(whole)) return { href: `/${whole}`, image: whole };
  return { href: `${repository}/${isFolder ? "tree" : "blob"}/main/${whole}${end}` };
}

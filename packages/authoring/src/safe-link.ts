/** Schemes that execute or display content when they are opened. */
const unsafeSchemes = new Set(
  ["javascript", "vbscript", "data", "blob", "file", "filesystem", "about", "view-source"].map(
    (scheme) => `${scheme}:`,
  ),
);

/** Maximum length of an address, in characters. */
const maxLength = 2_000;

/**
 * Whether an address of a remote system may be shown as a link: `https:`, `http:`, or an address with
 * `//` that names a resource of its own, such as `tickets://2`; in visible ASCII, and with no
 * credentials.
 */
export function isSafeLink(url: unknown): url is string {
  if (typeof url !== "string" || url.length > maxLength) return false;
  if (!/^[a-z][a-z\d+.-]*:\/\/[!-~]+$/i.test(url) || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return !unsafeSchemes.has(protocol) && username === "" && password === "";
}

/** Whether a browser would execute or display the content of a link. */
export function isUnsafeLink(text: string): boolean {
  const [, scheme = ""] =
    /^([a-z][a-z\d+.-]{0,20}:)/i.exec(text.slice(0, 200).replace(/[\s\p{Cc}]+/gu, "")) ?? [];
  return unsafeSchemes.has(scheme.toLowerCase());
}

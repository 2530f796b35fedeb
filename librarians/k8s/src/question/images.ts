/** `registry.example.com/team/web:1.4`, `team/nginx@sha256:…`: a path, maybe with a tag or a digest. */
const withPath =
  /^[\w.-]{1,253}(?::\d{1,5})?(?:\/[\w.-]{1,128}){1,8}(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{6,64})?$/;

/** True for a word that can only be the name of a container image; without a tag it may be an address. */
export function isImage(word: string): boolean {
  if (word.length > 600) return false;
  if (!word.includes("/")) return isTagged(word);
  return withPath.test(word) && /[:@]/.test(word.slice(word.lastIndexOf("/")));
}

/** `nginx:1.27-alpine`; a number alone behind the colon is a port. */
function isTagged(word: string): boolean {
  const [name = "", tag = "", ...more] = word.split(":");
  const isPort = /^\d{1,5}$/.test(tag);
  return (
    more.length === 0 &&
    /^[a-z0-9][\w.-]{0,127}$/.test(name) &&
    /^[\w.-]{1,128}$/.test(tag) &&
    /\d/.test(tag) &&
    !isPort
  );
}

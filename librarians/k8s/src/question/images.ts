import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";

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

/** The tag of an image; one without a tag or a digest is `latest`. */
export function getImageTag(image: string): string | undefined {
  const last = image.slice(image.lastIndexOf("/") + 1);
  if (last.includes("@")) return undefined;
  return last.includes(":") ? last.slice(last.indexOf(":") + 1) : "latest";
}

/** Tags that move, and have no number. */
const moving = /^(?:latest|stable|main|master|dev|develop|edge|nightly|canary|beta|alpha)$/i;
const tagged = [
  /\btag(?:ged)? (?:as |named |called )?["'`:]{0,2}(\w[\w.-]{0,127})/i,
  /(?:^|\s)["'`]?:(\w[\w.-]{0,127})/,
];

/** A tag that a question names: `with tag latest`, `on :latest`, `the 1.4.2 tag`. */
export function tagIn(query: string): string | undefined {
  const words = query.split(/\s/);
  // "The latest tag", "latest images"
  const before = words.filter((_, index) => /^(?:tag|images?)\b/i.test(words[index + 1] ?? ""));
  return [...tagged.flatMap((form) => form.exec(query)?.[1] ?? []), ...before]
    .map((tag) => tag.replace(/[.-]$/, ""))
    .find((tag) => moving.test(tag) || /^v?\d[\w.-]*$/i.test(tag));
}

/** What runs in an object: its containers' names and the last parts of their images' names. */
export function listPrograms(object: KubernetesObject): readonly string[] {
  return listAt(findPodSpec(object), "containers").flatMap((container) => [
    textAt(container, "name")?.toLowerCase() ?? "",
    getProgram(container),
  ]);
}

/** The last part of the name of a container's image, in lower case; empty where it has none. */
export function getProgram(container: unknown): string {
  return textAt(container, "image")?.split("/").at(-1)?.split(/[:@]/)[0]?.toLowerCase() ?? "";
}

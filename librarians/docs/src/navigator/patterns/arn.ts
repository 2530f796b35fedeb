import { loosely, type TokenLocation } from "../evidence/evidence.js";
import type { SectionText } from "../evidence/section-text.js";
import { matches, type Pattern, withoutPunctuation } from "./pattern.js";

const form =
  /\barn:aws[\w-]{0,20}:[\w*-]{0,40}:(?:[\w*-]{0,30}|<[^<>\s]{1,60}>):(?:[\w*-]{0,40}|<[^<>\s]{1,60}>|\$\{[^{}\s]{1,60}\}):[^\s"'`,)\]]{1,400}/gi;

/** Placeholder account numbers of documentation. */
const anyAccount = /^\d{0,12}$|[<>{}$*]|^account|^x+$/i;

/** Amazon resource names. The account number may differ, because it is the reader's own. */
export const arnPattern: Pattern = {
  kind: "arn",
  noun: "the ARN",
  mustBeCited: false,
  extract: ({ text }) => [...matches(form, text)].map((token) => withoutPunctuation(token)),
  find({ text }, evidence): TokenLocation {
    const wanted = parseArn(text);
    const clue = `arn ${wanted.service.replace(/[^\w-]/g, " ")}`;
    const found = evidence.find(clue, (section) =>
      section.fact(findArns).some((arn) => isSame(arn, wanted, "exact")),
    );
    if (found !== "nowhere") return found;
    return loosely(
      evidence.find(clue, (section) =>
        section.fact(findArns).some((arn) => isSame(arn, wanted, "loose")),
      ),
    );
  },
};

interface Arn {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

function findArns({ raw }: SectionText): readonly Arn[] {
  return [...matches(form, raw)].map((token) => parseArn(withoutPunctuation(token).text));
}

function parseArn(text: string): Arn {
  const [, partition = "", service = "", region = "", account = "", ...resource] = text.split(":");
  return { partition, service, region, account, resource: resource.join(":") };
}

/** Whether two ARNs match loosely: the partition may differ, and either may leave a name open. */
function isSame(known: Arn, wanted: Arn, how: "exact" | "loose"): boolean {
  if (known.service.toLowerCase() !== wanted.service.toLowerCase()) return false;
  if (how === "exact") {
    return (
      known.partition === wanted.partition &&
      isSamePart(known.region, wanted.region) &&
      isSameAccount(known.account, wanted.account) &&
      matchesResource(known.resource, wanted.resource)
    );
  }
  const isOpen = /[<>{}$*]/.test(wanted.resource);
  return (
    matchesResource(known.resource, wanted.resource) ||
    (isOpen && resourceKind(known.resource) === resourceKind(wanted.resource))
  );
}

function isSamePart(known: string, wanted: string): boolean {
  return known === wanted || /[<>{}$*]/.test(known + wanted);
}

function isSameAccount(known: string, wanted: string): boolean {
  if (known === "" || wanted === "") return known === wanted;
  return known === wanted || (anyAccount.test(known) && anyAccount.test(wanted));
}

/** A documented `*` or `<name>` matches anything after it. */
function matchesResource(known: string, wanted: string): boolean {
  if (known === wanted) return true;
  const open = known.search(/[<{$*]/);
  return open > 1 && wanted.startsWith(known.slice(0, open));
}

/** `role` of `role/x`. */
function resourceKind(resource: string): string {
  return /^[\w-]*/.exec(resource)?.[0].toLowerCase() ?? "";
}

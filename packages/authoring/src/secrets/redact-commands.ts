import { redacted } from "./secret-names.js";
import { isPlaceholder, looksChosen } from "./value-shape.js";

/** A flag that is a password only in some programs: `-p` is a port in others. */
interface PasswordFlag {
  /** Text that must occur for this rule. */
  readonly keyword: string;
  /** The beginning of the command. */
  readonly program: RegExp;
  /** Pattern before the password, in its first group. */
  readonly flag: RegExp;
}

const maxCommandLength = 600;

/** By the manual of each program. `-pSECRET` is attached, `-p SECRET` apart; words of a JSON list count too. */
const passwordFlags: readonly PasswordFlag[] = [
  {
    keyword: "-p",
    program: /\b(?:mysql|mariadb)[a-z-]{0,12}(?=["',\s])/g,
    flag: /([\s"']-p)(?=[^\s"'-])/g,
  },
  { keyword: "-p", program: /\bsshpass(?=["'\s])/g, flag: /([\s"']-p["',\s]{0,6})(?=[^\s"',])/g },
  {
    keyword: "-p",
    program:
      /\b(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|oc|az|helm)\b["'\s,]{1,6}(?:registry\s)?(?:auth\s)?login\b/g,
    flag: /([\s"']-p["',\s=]{1,6})(?=[^\s"',])/g,
  },
  {
    keyword: "-p",
    program: /\bmongo(?:sh|dump|restore|export|import)?(?=["'\s])/g,
    flag: /([\s"']-p["',\s]{1,6})(?=[^\s"',-])/g,
  },
  {
    keyword: "-a",
    program: /\b(?:redis|valkey)-cli\b/g,
    flag: /([\s"']-a["',\s]{1,6})(?=[^\s"',])/g,
  },
  { keyword: "-P", program: /\bsqlcmd\b/g, flag: /([\s"']-P["',\s]{0,6})(?=[^\s"',])/g },
  {
    keyword: "-w",
    program: /\bldap[a-z]{3,10}(?=["'\s])/g,
    flag: /([\s"']-w["',\s]{1,6})(?=[^\s"',])/g,
  },
  {
    keyword: "-u",
    program: /\blftp\b/g,
    flag: /([\s"']-u["',\s]{1,6}[^\s"',]{1,64},)(?=[^\s"',])/g,
  },
  {
    keyword: "-",
    program: /\bhtpasswd\b/g,
    flag: /(\s-[a-zA-Z0-9]{0,8}b[a-zA-Z0-9]{0,8}\s{1,3}[^\s"']{1,256}\s{1,3}[^\s"']{1,128}\s{1,3})(?=[^\s"'])/g,
  },
  { keyword: "-p", program: /\b(?:7z[ar]?|un?rar)\b/g, flag: /([\s"']-p)(?=[^\s"'])/g },
  { keyword: "-P", program: /\b(?:un)?zip\b/g, flag: /([\s"']-P["',\s]{1,6})(?=[^\s"',])/g },
  {
    keyword: "-",
    program: /\bsnmp[a-z]{0,12}\b/g,
    flag: /([\s"']-[AX]["',\s]{1,6})(?=[^\s"',])/g,
  },
  {
    keyword: "@",
    program: /\b(?:sqlplus|sqlldr|rman|expdp|impdp)\b/g,
    flag: /(\s[\w.-]{1,64}\/)(?=[^\s/@"']{1,128}@)/g,
  },
  {
    keyword: "%",
    program: /\b(?:smbclient|rpcclient|smbget|net)(?=["'\s])/g,
    flag: /([\s"'](?:-U|--user)["',\s=]{1,6}[^\s"'%]{1,64}%)(?=[^\s"'])/g,
  },
  {
    keyword: "pass:",
    program: /\bopenssl\b/g,
    flag: /(\spass(?:in|out)?["',\s]{1,6}pass:|\s-pass(?:in|out)?\s{1,3}pass:)(?=\S)/g,
  },
  {
    keyword: "--from-literal",
    program: /\bcreate\s{1,3}secret\b/g,
    flag: /(--from-literal[=\s]["']?[^\s=]{1,128}=)(?=[^\s"'])/g,
  },
  {
    keyword: "ConvertTo-SecureString",
    program: /\bConvertTo-SecureString\b/g,
    flag: /([\s"'](?:-String\s{1,3})?["'])(?=[^\s"'-])/g,
  },
];

/** A user, and a password behind a flag of one letter, in whichever program: `-u feeder -P Pumpe#12`, `-D cn=jo -w x1Y2z`. */
const userFirst = /(?:^|[\s"'])(?:-[uUlD]|--user(?:name)?)["',\s=]{1,6}[^\s"',-][^\s"',]{0,128}/gm;
const passwordNext = /([\s"']-[pPwW]["',\s]{1,6})(?=[^\s"',-])/g;

/** `-u user:password` and `--user user:password`, as curl and others take it. */
const userFlag =
  /((?:^|[\s"'])(?:-u|--user|--proxy-user)["',\s=]{1,6})([^\s:"',]{1,128}):(?!\/\/)([^\s"',]+)/gm;
const value = /[^\s"',]+/y;

/** Hides passwords that commands are given. */
export function redactCommands(text: string): string {
  let clean = text.replace(userFlag, (all, before: string, user: string, password: string) =>
    isPlaceholder(password) || user.startsWith("$") ? all : `${before}${redacted}`,
  );
  for (const { keyword, program, flag } of passwordFlags) {
    if (text.includes(keyword)) clean = redactFlags(clean, program, flag);
  }
  if (clean.includes(" -")) clean = redactFlags(clean, userFirst, passwordNext, looksChosen);
  return clean;
}

function redactFlags(
  text: string,
  program: RegExp,
  flag: RegExp,
  isSecret: (value: string) => boolean = () => true,
): string {
  let clean = "";
  let done = 0;
  for (const { index } of text.matchAll(program)) {
    if (index < done) continue;
    const end = commandEnd(text, index);
    clean += text.slice(done, index) + redactValues(text.slice(index, end), flag, isSecret);
    done = end;
  }
  return clean + text.slice(done);
}

function redactValues(command: string, flag: RegExp, isSecret: (value: string) => boolean): string {
  let clean = "";
  let done = 0;
  for (const match of command.matchAll(flag)) {
    const start = match.index + match[0].length;
    if (start < done) continue;
    value.lastIndex = start;
    const found = value.exec(command)?.[0] ?? "";
    clean +=
      command.slice(done, start) + (isPlaceholder(found) || !isSecret(found) ? found : redacted);
    done = start + found.length;
  }
  return clean + command.slice(done);
}

/** A command ends at the end of its line, or where another command begins. */
function commandEnd(text: string, start: number): number {
  const rest = text.slice(start, start + maxCommandLength);
  const end = rest.search(/\n|\s[|;&]{1,2}\s/);
  return end < 0 ? start + rest.length : start + end;
}

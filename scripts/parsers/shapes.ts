/** A text of about `length` characters, by the name of what it is full of. */
export type Shapes = Readonly<Record<string, (length: number) => string>>;

const repeat = (piece: string) => (length: number) =>
  piece.repeat(Math.ceil(length / piece.length));
/** Numbered pieces, until the text is long enough. */
const each = (piece: (index: number) => string) => (length: number) => {
  const pieces: string[] = [];
  for (let index = 0, total = 0; total < length; index++) {
    const next = piece(index);
    pieces.push(next);
    total += next.length;
  }
  return pieces.join("");
};
const after = (beginning: string, rest: (length: number) => string) => (length: number) =>
  beginning + rest(length - beginning.length);

/** YAML: what makes parsers slow. `ordinary` is what people write. */
export const yamlShapes: Shapes = {
  ordinary: each(
    (index) =>
      `- id: workflow-${index}\n  title: Restart the pods of a deployment\n  labels: {severity: high, team: shop}\n  steps:\n    - kubectl rollout restart deployment/shop\n`,
  ),
  "small values in a line": after("a: [", repeat("1,")),
  "small values in lines": after("a:\n", repeat("- 1\n")),
  "short keys": each((index) => `k${index.toString(36)}:\n`),
  "short keys in a line": after(
    "a: {",
    each((index) => `k${index.toString(36)}: 1,`),
  ),
  anchors: each((index) => `k${index}: &a${index} 1\n`),
  "anchors and aliases": each((index) => `k${index}: &a${index} 1\nr${index}: *a${index}\n`),
  aliases: after(
    "a: &a [1]\n",
    each((index) => `r${index}: *a\n`),
  ),
  "opening brackets": after("a: ", repeat("[")),
  "opening braces": after("a: ", repeat("{")),
  "closing brackets": after("a: ", repeat("]")),
  "nested lines": each((index) => `${" ".repeat(index % 500)}k:\n`),
  "dashes in dashes": repeat("- - - "),
  "blank lines": repeat("\n"),
  comments: repeat("#\n"),
  "one comment": repeat("#"),
  "a long word": repeat("a"),
  "a quoted text": after('a: "', repeat("a\n")),
  escapes: after('a: "', repeat("\\n")),
  "a block of text": after("a: |\n", repeat("  a\n")),
  "folded text": after("a: >\n", repeat("  a\n\n")),
  "plain text in lines": after("a: b\n", repeat("  c\n")),
  "complex keys": repeat("? "),
  "complex keys in lines": repeat("? a\n"),
  tags: repeat("!a "),
  "merge keys": after(
    "a: &a {b: 1}\n",
    each((index) => `k${index}: {<<: *a}\n`),
  ),
  documents: repeat("---\n"),
  "documents with a value": repeat("---\na\n"),
  "documents, some broken": repeat(`${"---\na\n".repeat(31)}---\n[\n`),
  "broken documents": repeat("---\n[\n"),
  "tiny items": after("items:\n", repeat("- 1\n")),
  colons: repeat(":"),
  "spaced colons": repeat(": "),
  variables: after("a: ", repeat("$" + "{A:-")),
  tabs: repeat("\t"),
};

/** Markdown: what makes parsers slow. */
export const markdownShapes: Shapes = {
  ordinary: each(
    (index) =>
      `## Step ${index}\n\nRestart the [billing service](https://example.com/${index}) with \`systemctl restart billing\`.\nWait until it is *ready*.\n\n- The log is in \`/var/log\`.\n- The port is 8080.\n\n`,
  ),
  words: after("# T\n\n", repeat("word ")),
  "short lines": after("# T\n\n", repeat("a\n")),
  paragraphs: after("# T\n\n", repeat("a\n\n")),
  "blank lines": after("# T\n\n", repeat("\n")),
  "blank lines in code": after("# T\n\n```\na", repeat("\n")),
  headings: repeat("# a\n"),
  "underlined headings": repeat("a\n-\n"),
  brackets: after("# T\n\n", repeat("[")),
  "closed brackets": after("# T\n\n", repeat("[]")),
  "brackets closed in code": after("# T\n\n", repeat("[a `]` ")),
  links: after("# T\n\n", repeat("[a](b) ")),
  "links left open": after("# T\n\n", repeat("[a](")),
  images: after("# T\n\n", repeat("![")),
  references: after(
    "# T\n\n",
    each((index) => `[a${index}]: x\n`),
  ),
  "runs of backticks": after(
    "# T\n\n",
    each((index) => `${"`".repeat(index + 1)} `),
  ),
  backticks: after("# T\n\n", repeat("`a")),
  emphasis: after("# T\n\n", repeat("*a _b ")),
  "emphasis in emphasis": after("# T\n\n", repeat("*a **a ")),
  "stars in lines": after("# T\n\n", repeat("**a*\n")),
  quotes: after("# T\n\n", repeat(">")),
  "quotes in lines": after("# T\n\n", repeat("> a\n")),
  "quotes one in another": after(
    "# T\n\n",
    each((index) => `${">".repeat(index % 100)} a\n`),
  ),
  lists: after("# T\n\n", repeat("- a\n")),
  "empty items": after("# T\n\n", repeat("-\n")),
  "lists one in another": after(
    "# T\n\n",
    each((index) => `${"  ".repeat(index % 100)}- a\n`),
  ),
  "items of items": after("# T\n\n", repeat("- - - - a\n")),
  "numbered items": after(
    "# T\n\n",
    each((index) => `${index}. a\n`),
  ),
  "a wide table": (length) =>
    `# T\n\n${"|a".repeat(length / 6)}\n${"|-".repeat(length / 6)}\n${"|b".repeat(length / 6)}\n`,
  "a long table": after("|a|b|\n|-|-|\n", repeat("|c|d|\n")),
  "short rows": (length) => `${"|a".repeat(100)}\n${"|-".repeat(100)}\n${"|\n".repeat(length / 2)}`,
  tags: after("# T\n\n", repeat("<a>")),
  "tags left open": after("# T\n\n", repeat("<a ")),
  comments: after("# T\n\n", repeat("<!--")),
  "HTML in lines": after("# T\n\n", repeat("<p>\n\n")),
  entities: after("# T\n\n", repeat("&amp;")),
  ampersands: after("# T\n\n", repeat("&")),
  backslashes: after("# T\n\n", repeat("\\")),
  "autolinks left open": after("# T\n\n", repeat("<http:")),
  "code in lines": after("# T\n\n", repeat("```\n")),
  tildes: after("# T\n\n", repeat("~~~\r")),
  "indented code": after("# T\n\n", repeat("    a\n\n")),
  rules: after("# T\n\n", repeat("---\n\n")),
  "front matter": after("---\na: ", repeat("[")),
  admonitions: repeat("!!! a\n"),
  "colon blocks": repeat(":::\n"),
  imports: repeat("import {\n"),
  "hidden characters": after("# T\n\n", repeat("\u202e")),
  "camel case": after("# T\n\n", repeat("aB")),
  hyphens: after("# T\n\n", repeat("a-")),
  dots: after("# T\n\n", repeat("a.")),
  digits: after("# T\n\n", repeat("1 ")),
  "different words": after(
    "# T\n\n",
    each((index) => `w${index.toString(36)} `),
  ),
};

/** Rows of text: CSV, lines of JSON. */
export const csvShapes: Shapes = {
  ordinary: after(
    "country,city,price,text\n",
    each((index) => `IN,Vizag,${index},A flat with two rooms near the beach and a school\n`),
  ),
  "tiny rows": after("a\n", repeat("1\n")),
  "tiny rows, each another": after(
    "a\n",
    each((index) => `${index.toString(36)}\n`),
  ),
  "wrong rows": after("a,b\n", repeat("1\n")),
  "blank lines": after("a\n", repeat("\n")),
  "many columns": (length) =>
    `${Array.from({ length: 200 }, (_, at) => `c${at}`).join(",")}\n${repeat(`${"1,".repeat(199)}1\n`)(length)}`,
  "empty cells": (length) =>
    `${Array.from({ length: 200 }, (_, at) => `c${at}`).join(",")}\n${repeat(`${",".repeat(199)}\n`)(length)}`,
  quotes: after("a\n", repeat('""\n')),
  "a quote left open": after('a\n"', repeat("a\n")),
  commas: repeat(","),
  "a long cell": after("a\n", repeat("a")),
};

export const jsonShapes: Shapes = {
  ordinary: (length) =>
    `[${each((index) => `{"country":"IN","city":"Vizag","price":${index},"text":"A flat with two rooms"},`)(length)}{}]`,
  "tiny objects": (length) => `[${repeat('{"a":1},')(length)}{}]`,
  "empty objects": (length) => `[${repeat("{},")(length)}{}]`,
  numbers: (length) => `[${repeat("1,")(length)}1]`,
  "opening brackets": repeat("["),
  "opening braces": repeat('{"a":'),
  braces: repeat("{"),
  "braces and quotes": repeat('{"'),
  "objects that are not JSON": repeat("{a}"),
  escapes: (length) => `{"a":"${repeat("\\u0041")(length)}"}`,
  backticks: repeat("```\n{"),
  thoughts: repeat("<think>"),
  "thoughts that end": repeat("</think>{"),
};

/** Objects, events and alerts as servers give them. */
export const clusterShapes: Shapes = {
  ...jsonShapes,
  pods: (length) =>
    `{"kind":"List","items":[${each((index) => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-${index}","labels":{"__proto__":"x","a":"b"}},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False"}]}},`)(length)}{}]}`,
  events: (length) =>
    `[${each((index) => `{"kind":"Event","involvedObject":{"kind":"Pod","name":"web-${index}"},"reason":"BackOff","message":"\\u001b[31m","lastTimestamp":"2026-03-01T11:59:00Z"},`)(length)}{}]`,
  alerts: (length) =>
    `{"alerts":[${each((index) => `{"status":"firing","labels":{"pod":"web-${index}","severity":"critical"},"startsAt":"x"},`)(length)}{}]}`,
};

/** What `kubectl` prints, and logs. */
export const kubectlShapes: Shapes = {
  ordinary: after(
    "$ kubectl get pods -n shop\nNAME   READY   STATUS    RESTARTS   AGE\n",
    each((index) => `web-${index}   0/1   CrashLoopBackOff   ${index}   5m\n`),
  ),
  description: each(
    (index) =>
      `Name:         web-${index}\nNamespace:    shop\nContainers:\n  web:\n    State:  Waiting\n      Reason:  CrashLoopBackOff\nEvents:\n  Type  Reason  Age  From  Message\n`,
  ),
  commands: repeat("$ kubectl logs web -n shop\n"),
  marks: repeat("==== START logs for container a of pod b/c ====\n"),
  "open marks": after(
    "",
    each((index) => `==== START logs for container a${index} of pod b/c ====\nx\n`),
  ),
  colons: repeat("a:\n"),
  "nested lines": each((index) => `${" ".repeat(index % 200)}a:\n`),
  blanks: repeat("   "),
  "blank lines": repeat("\n"),
  headers: repeat("NAME  READY\n"),
  columns: repeat("NAME  "),
  escapes: repeat("\u001b[31m"),
  titles: repeat("\u001b]0;"),
};

/** Prose: sentences, marks, amounts, hidden characters. */
export const proseShapes: Shapes = {
  ordinary: repeat("Prices in Vizag rose by 5 % to Rs 48 lakh in 2025, says the registrar. "),
  ...Object.fromEntries(
    [
      "A. ",
      "no. A ",
      "! A",
      ".'",
      "!",
      "! ",
      "?",
      "e.g. ",
      "a need, ",
      "a - ",
      "is not ",
      "<!--",
      "[a](",
      "![",
      "|",
      "\n\t \t",
      "\n\r",
      " ",
      "1,",
      "12345 ",
      "a@a.",
      "a",
      "+1 ",
      "$1 to ",
      "1 sq ",
      "in Aa Bb ",
      "we highly ",
      "e\u0301",
      "\u001b[",
      "\u001b]0;",
      "\u200d",
      "\u{1f469}\u200d",
      "\ud800",
      "<|a",
      "[A",
      "=",
    ].map((piece) => [JSON.stringify(piece), repeat(piece)]),
  ),
};

/** Questions about a cluster. */
export const questionShapes: Shapes = {
  ...proseShapes,
  ...Object.fromEntries(
    [
      "Why does checkout crash in prod? ",
      "pod/a ",
      "node a ",
      "p no pod ",
      "lookup ",
      "past ",
      "a.b.c/",
      "and then ",
      "; and ",
      "more than 3 restarts ",
      "app=web,",
    ].map((piece) => [JSON.stringify(piece), repeat(piece)]),
  ),
};

/** Calls and replies between meshes. */
export const envelopeShapes: Shapes = {
  ...jsonShapes,
  call: (length) =>
    `{"v":1,"remainingMs":1000,"hopsLeft":3,"depth":1,"runId":"a","path":["a"],"query":"${repeat("why ")(length)}","metadata":{"__proto__":{"a":1}}}`,
  reply: (length) =>
    `{"v":1,"response":{"answer":"${repeat("[a](b) ")(length)}","confidence":2,"sources":[{"name":"a"}],"metadata":{"__proto__":{"a":[1]}}}}`,
  traces: each((index) => `00-${"a".repeat(32)}-${"b".repeat(16)}-0${index % 10}-`),
};

/** Streams of server-sent events. */
export const streamShapes: Shapes = {
  ...jsonShapes,
  "stream of text": repeat('data: {"choices":[{"delta":{"content":"a"}}]}\n\n'),
  "stream of calls": each(
    (index) =>
      `data: {"choices":[{"delta":{"tool_calls":[{"index":${index},"id":"a","function":{"name":"f","arguments":"{"}}]}}]}\n\n`,
  ),
  "stream of lines": repeat("data:\n"),
  "stream of line ends": repeat("\r"),
  comments: repeat(":\n"),
};

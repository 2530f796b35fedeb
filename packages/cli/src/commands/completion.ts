import type { Command } from "commander";
import { type CommandIO, exitCodes } from "../command-io.js";

/** Shells with a completion script. */
export type Shell = "bash" | "zsh" | "fish" | "powershell";

/** `constellation completion`: a script that teaches a shell the commands and their options. */
export async function completion(
  shell: Shell,
  program: Command,
  { stdout }: CommandIO,
): Promise<number> {
  const name = program.name();
  const commands = program.commands.map(toEntry);
  const own = toEntry(program);
  const print = { bash, zsh, fish, powershell }[shell];
  stdout.write(print(name, own, commands));
  return exitCodes.answered;
}

interface Entry {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionEntry[];
  /** Words its first argument may be. */
  readonly choices: readonly string[];
  /** Whether an argument is a file. */
  readonly takesFile: boolean;
}

interface OptionEntry {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly takesFile: boolean;
}

function toEntry(command: Command): Entry {
  const help = { long: "--help", short: "-h", description: "print help" };
  return {
    name: command.name(),
    description: command.description(),
    options: [
      ...command.options.map(({ long, short, description, required, flags }) => ({
        long: long ?? "",
        short,
        description,
        takesValue: required,
        takesFile: /<(?:file|folder)>/.test(flags),
      })),
      { ...help, takesValue: false, takesFile: false },
    ],
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    takesFile: command.registeredArguments.some((argument) =>
      /file|folder|path|^run$/.test(argument.name()),
    ),
  };
}

function listWords({ options, choices }: Entry): string {
  return [...choices, ...options.flatMap(({ long, short }) => [long, short ?? []].flat())].join(
    " ",
  );
}

function bash(name: string, own: Entry, commands: readonly Entry[]): string {
  const names = commands.map((command) => command.name);
  const fileOptions = [
    ...new Set(
      commands.flatMap(({ options }) =>
        options
          .filter((one) => one.takesFile)
          .flatMap(({ long, short }) => [long, short ?? []].flat()),
      ),
    ),
  ];
  const cases = commands.map((command) => {
    const files = command.takesFile ? " files=1" : "";
    return `    ${command.name}) words="${listWords(command)}"${files} ;;`;
  });
  return `# ${name} completion for bash. To use it: source <(${name} completion bash)
${shellIds(name)}_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" words="" files="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${names.join("|")}) command="$word"; break ;; esac
  done
  case "$previous" in
    ${fileOptions.join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --to|-t) COMPREPLY=($(compgen -W "$(_${name}_ids "\${COMP_WORDS[@]}")" -- "$current")); return ;;
  esac
  case "$command" in
    "") words="${names.join(" ")} ${listWords(own)}" ;;
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n "$files" && "$current" != -* ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _${name} ${name}
`;
}

/** A shell function that prints the ids of the mesh that the command line names, or the default one. */
function shellIds(name: string): string {
  return `_${name}_ids() {
  local mesh="" word previous=""
  for word in "$@"; do
    case "$previous" in --mesh|-m) mesh="$word" ;; esac
    previous="$word"
  done
  ${name} list --ids \${mesh:+--mesh "$mesh"} 2>/dev/null
}
`;
}

function zsh(name: string, own: Entry, commands: readonly Entry[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''");
  const option = ({ long, short, description, takesValue, takesFile }: OptionEntry) => {
    const kind = long === "--to" ? `:id:_${name}_to` : ":value: ";
    const value = takesFile ? ":file:_files" : takesValue ? kind : "";
    const text = quote(description.replaceAll(/[[\]:]/g, (sign) => `\\${sign}`));
    const each = (flag: string) => `'${flag}[${text}]${value}'`;
    return [long, short ?? []].flat().map(each).join(" ");
  };
  const spec = (entry: Entry) => {
    const choices = entry.choices.length > 0 ? ` '1:what:(${entry.choices.join(" ")})'` : "";
    const files = entry.takesFile ? " '*:file:_files'" : "";
    return `_arguments ${entry.options.map(option).join(" ")}${choices}${files}`;
  };
  const lines = commands.map(
    (entry) => `    '${entry.name}:${quote(entry.description.replaceAll(":", "\\:"))}'`,
  );
  return `#compdef ${name}
# ${name} completion for zsh. To use it: ${name} completion zsh > "\${fpath[1]}/_${name}"
${shellIds(name)}_${name}_to() { compadd -- $(_${name}_ids $words) }
_${name}() {
  local -a commands
  commands=(
${lines.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    ${spec({ ...own, takesFile: false })}
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map((entry) => `    ${entry.name}) ${spec(entry)} ;;`).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function fish(name: string, own: Entry, commands: readonly Entry[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const option = (where: string, each: OptionEntry) => {
    const { long, short, description, takesValue, takesFile } = each;
    const flag = [`-l ${long.slice(2)}`, short === undefined ? [] : `-s ${short.slice(1)}`].flat();
    const ids = long === "--to" ? ["-a", quote(`(${name} list --ids 2>/dev/null)`)] : [];
    const value = takesFile ? ["-r", "-F"] : takesValue ? ["-x", ...ids] : [];
    return ["complete", "-c", name, where, ...flag, ...value, "-d", quote(description)].join(" ");
  };
  const lines = commands.flatMap((entry) => {
    const where = `-n ${quote(`__fish_seen_subcommand_from ${entry.name}`)}`;
    return [
      `complete -c ${name} -n __fish_use_subcommand -a ${entry.name} -d ${quote(entry.description)}`,
      ...entry.choices.map((word) => `complete -c ${name} ${where} -a ${word}`),
      ...(entry.takesFile ? [`complete -c ${name} ${where} -F`] : []),
      ...entry.options.map((each) => option(where, each)),
    ];
  });
  return `# ${name} completion for fish. To use it: ${name} completion fish > ~/.config/fish/completions/${name}.fish
complete -c ${name} -f
${own.options.map((each) => option("-n __fish_use_subcommand", each)).join("\n")}
${lines.join("\n")}
`;
}

function powershell(name: string, own: Entry, commands: readonly Entry[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const table = [{ ...own, name: "" }, ...commands].map(
    (entry) => `    ${quote(entry.name)} = ${listWords(entry).split(" ").map(quote).join(", ")}`,
  );
  return `# ${name} completion for PowerShell. To use it, in $PROFILE:
# ${name} completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ${name} -ScriptBlock {
  param($word, $ast, $cursor)
  $commands = ${commands.map((entry) => quote(entry.name)).join(", ")}
  $words = @{
${table.join("\n")}
  }
  $typed = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -ne '' -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
  $last = if ($typed.Count -gt 0) { $typed[-1] } else { '' }
  $command = $typed | Where-Object { $_ -in $commands } | Select-Object -First 1
  if ($last -in '--to', '-t') {
    $at = [Array]::FindIndex([string[]]$typed, [Predicate[string]] { $args[0] -in '--mesh', '-m' })
    $mesh = if ($at -ge 0 -and $at + 1 -lt $typed.Count) { @('--mesh', $typed[$at + 1]) } else { @() }
    $choices = & ${name} list --ids @mesh 2>$null
  }
  elseif ($command) { $choices = $words[$command] }
  else { $choices = $commands + $words[''] }
  $choices | Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}

import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A member of an interface, as its author documented it. */
export interface InterfaceMember {
  readonly name: string;
  /** As the compiler writes it, without `undefined`. */
  readonly type: string;
  readonly isOptional: boolean;
  /** Of the comment above it, one line. */
  readonly text: string;
  /** Of `@default`. */
  readonly preset: string | undefined;
}

/** Reads interfaces and tables of the sources, with one compiler for all of them. */
export interface SourceReader {
  /** Members of an exported interface or type, inherited ones too, in the order they are in. */
  membersOf(file: string, name: string): readonly InterfaceMember[];
  /** Entries of an exported constant table, with the comment above each. */
  entriesOf(file: string, name: string): readonly InterfaceMember[];
  /** Members of each member's own type: fields of events. */
  fieldsOf(file: string, name: string): ReadonlyMap<string, readonly InterfaceMember[]>;
}

/** @param files - Relative to the root. */
export function createSourceReader(files: readonly string[]): SourceReader {
  const program = ts.createProgram({
    rootNames: files.map((file) => root + file),
    options: {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      customConditions: ["@constellation/source"],
    },
  });
  const checker = program.getTypeChecker();

  function exported(file: string, name: string): ts.Symbol {
    const source = program.getSourceFile(root + file);
    const module = source && checker.getSymbolAtLocation(source);
    const found = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    if (found === undefined) throw new Error(`${file}: exports no ${name}`);
    return found;
  }

  function members(type: ts.Type): readonly InterfaceMember[] {
    return checker.getPropertiesOfType(type).map((symbol) => {
      const own = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
      const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      const preset = symbol.getJsDocTags(checker).find((tag) => tag.name === "default");
      return {
        name: symbol.name,
        type: checker.typeToString(own, undefined, ts.TypeFormatFlags.NoTruncation),
        isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
        text: comment.replaceAll(/\s+/g, " ").trim(),
        preset: preset && ts.displayPartsToString(preset.text).replaceAll(/\s+/g, " ").trim(),
      };
    });
  }

  return {
    membersOf: (file, name) => members(checker.getDeclaredTypeOfSymbol(exported(file, name))),
    entriesOf: (file, name) => members(checker.getTypeOfSymbol(exported(file, name))),
    fieldsOf(file, name) {
      const type = checker.getDeclaredTypeOfSymbol(exported(file, name));
      return new Map(
        checker
          .getPropertiesOfType(type)
          .map((symbol) => [symbol.name, members(checker.getTypeOfSymbol(symbol))]),
      );
    },
  };
}

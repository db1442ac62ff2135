// The values that declarations give a program without an import, with their members.

import ts from "typescript";

const OPTIONS = { strict: true, noEmit: true, noLib: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, types: [] };

/**
 * The names by which the declared values are reached: `NAME`, with the members of a value, and those of its instances
 * where it makes some. A member that may be left out is not among them.
 */
export function declaredGlobals(files) {
  const program = ts.createProgram(files, OPTIONS);
  const problems = ts.getPreEmitDiagnostics(program).map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
  const checker = program.getTypeChecker();
  const at = program.getSourceFile(files[0]);
  const values = checker.getSymbolsInScope(at, ts.SymbolFlags.Value).filter((symbol) => !/^(arguments$|")/.test(symbol.name));
  const members = (type) =>
    type
      .getProperties()
      .filter((symbol) => (symbol.flags & ts.SymbolFlags.Optional) === 0)
      .map((symbol) => symbol.name.replace(/^__@(\w+)@\d+$/, "@@$1"))
      .filter((name) => name !== "prototype")
      .sort();
  const names = {};
  for (const symbol of values.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const type = checker.getTypeOfSymbolAtLocation(symbol, at);
    const prototype = type.getProperty("prototype");
    const instance = prototype && checker.getTypeOfSymbolAtLocation(prototype, at);
    const isFunction = type.getCallSignatures().length > 0 && prototype === undefined;
    names[symbol.name] = {
      members: isFunction ? [] : members(type),
      instance: instance === undefined || (instance.flags & ts.TypeFlags.Any) !== 0 ? [] : members(instance),
    };
  }
  return { names, problems };
}

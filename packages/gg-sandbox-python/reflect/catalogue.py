"""Writes the Python arm's catalogue from the SDK's own docstrings.

    python catalogue.py PATH/TO/gg > catalogue.json

Nothing is described here: a call without a description, an argument without one, or a
type with a bare field ends the build and is named.
"""

import ast
import json
import re
import sys
from pathlib import Path

import griffe

VERSION = 1
SECTIONS = griffe.DocstringSectionKind


class Undescribed(Exception):
    """Something public has no description, or one that says nothing of a part of it."""


class Reflector:
    """Reads one package, and collects everything that is wrong with it before it fails."""

    def __init__(self, package: griffe.Module) -> None:
        self.package = package
        self.problems: list[str] = []
        self.modules = [
            package.members[name]
            for name in exports(package)
            if isinstance(package.members.get(name), griffe.Module)
        ]
        # Private modules such as _contents' home never show; types do, by their bare name.
        self.types = {
            name: f"{module.name}.{name}"
            for module in self.modules
            for name in exports(module)
            if module.members[name].is_class or module.members[name].is_attribute
        }

    def catalogue(self) -> dict:
        """The whole catalogue."""
        modules, entries = [], []
        for module in self.modules:
            modules.append(
                {
                    "name": module.name,
                    "import": f"from {self.package.name} import {module.name}",
                    "summary": self.described(module)[0],
                }
            )
            operations = mapping(module)
            for name in exports(module):
                member = module.members[name]
                if member.is_function:
                    if name not in operations:
                        self.problems.append(f"{module.name}.{name} is in __all__ but not in __operations__")
                    entries.append(self.operation(module, member, operations.pop(name, None)))
                else:
                    entries.append(self.type(module, member))
            self.problems += [f"{module.name}.__operations__ names {name}, which is no function" for name in operations]
        return {"version": VERSION, "arm": "python", "memberSeparator": ".", "modules": modules, "entries": entries}

    def operation(self, module: griffe.Module, function: griffe.Function, identity: str | None) -> dict:
        """An entry for a call."""
        summary, documentation, sections = self.described(function)
        described = {
            item.name: item.description for section in sections if section.kind is SECTIONS.parameters for item in section.value
        }
        parameters = []
        for parameter in function.parameters:
            text = (described.pop(parameter.name, None) or "").strip()
            if not text:
                self.problems.append(f"{function.path}: argument {parameter.name!r} has no description")
            parameters.append(
                {
                    "name": parameter.name,
                    "type": str(parameter.annotation),
                    "optional": parameter.default is not None,
                    "documentation": unwrapped(text),
                }
            )
        self.problems += [f"{function.path}: describes {name!r}, which is no argument" for name in described]
        returns = str(function.returns)
        told = [item.description for section in sections if section.kind is SECTIONS.returns for item in section.value]
        if returns != "None" and not any(told):
            self.problems.append(f"{function.path}: says nothing of what it returns")
        if not any(section.kind is SECTIONS.raises for section in sections):
            self.problems.append(f"{function.path}: says nothing of its errors")
        signature = f"{module.name}.{function.name}({arguments(function)}) -> {returns}"
        return {
            "key": f"{module.name}.{function.name}",
            "operation": identity,
            "kind": "operation",
            "module": module.name,
            "name": function.name,
            "signature": signature,
            "summary": summary,
            "documentation": documentation,
            "parameters": parameters,
            "returns": None if returns == "None" else returns,
            "types": self.mentioned(" ".join([*(parameter["type"] for parameter in parameters), returns])),
        }

    def type(self, module: griffe.Module, member: griffe.Object) -> dict:
        """An entry for a type, or for a constant that stands for one."""
        summary, documentation, _ = self.described(member)
        entry = {
            "key": f"{module.name}.{member.name}",
            "operation": None,
            "kind": "type",
            "module": module.name,
            "name": member.name,
            "signature": member.name,
            "summary": summary,
            "documentation": documentation,
            "parameters": [],
            "returns": None,
            "types": [],
        }
        if member.is_attribute:
            entry["signature"] = f"{module.name}.{member.name}"
            return entry
        bases = [str(base) for base in member.bases]
        attributes = [found for name, found in member.members.items() if found.is_attribute and not name.startswith("_")]
        if any(base.startswith("enum.") for base in bases):
            entry["signature"] = f"class {module.name}.{member.name}({', '.join(bases)})"
            entry["variants"] = [
                {"name": found.name, "type": str(found.value), "documentation": self.described(found)[1]}
                for found in attributes
            ]
        else:
            fields = [
                {"name": found.name, "type": str(found.annotation), "documentation": self.described(found)[1]}
                for found in attributes
            ]
            shown = ", ".join(f"{field['name']}: {field['type']}" for field in fields)
            entry["signature"] = f"class {module.name}.{member.name}({shown})"
            entry["fields"] = fields
            entry["types"] = self.mentioned(shown)
        return entry

    def described(self, thing: griffe.Object) -> tuple[str, str, list]:
        """Summary (the first sentence), whole text, and the parsed sections of a docstring."""
        text = thing.docstring.value.strip() if thing.docstring else ""
        if not text:
            self.problems.append(f"{thing.path} has no description")
            return "", "", []
        first = unwrapped(text.split("\n\n")[0])
        summary = re.match(r".+?[.!?](?=\s|$)|.+", first).group()
        return summary, text, thing.docstring.parse("google", warnings=False)

    def mentioned(self, text: str) -> list[str]:
        """The SDK's types that a signature names, in their order."""
        names = re.findall(r"\b[A-Z]\w*\b", text)
        return list(dict.fromkeys(self.types[name] for name in names if name in self.types))


def exports(module: griffe.Module) -> list[str]:
    """The public names of a module, in the order of `__all__`."""
    return [str(name).strip("\"'") for name in module.exports or ()]


def mapping(module: griffe.Module) -> dict[str, str]:
    """What `__operations__` of a module says: which call is which operation."""
    found = module.members.get("__operations__")
    if found is None:
        return {}
    return ast.literal_eval(str(found.value))


def arguments(function: griffe.Function) -> str:
    """The arguments as Python's users read them."""
    shown, keyword_only = [], False
    for parameter in function.parameters:
        if parameter.kind is griffe.ParameterKind.keyword_only and not keyword_only:
            shown.append("*")
            keyword_only = True
        default = "" if parameter.default is None else f" = {parameter.default}"
        shown.append(f"{parameter.name}: {parameter.annotation}{default}")
    return ", ".join(shown)


def unwrapped(text: str) -> str:
    """A paragraph as one line."""
    return " ".join(text.split())


def main(folder: str) -> int:
    """Prints the catalogue of the package in `folder`."""
    path = Path(folder).resolve()
    package = griffe.load(path.name, search_paths=[path.parent], docstring_parser="google")
    reflector = Reflector(package)
    catalogue = reflector.catalogue()
    if reflector.problems:
        raise Undescribed("\n".join(sorted(set(reflector.problems))))
    json.dump(catalogue, sys.stdout, indent=1, ensure_ascii=False)
    print()
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: catalogue.py PATH/TO/gg")
    try:
        sys.exit(main(sys.argv[1]))
    except Undescribed as undescribed:
        sys.exit(f"the SDK is not fully described:\n{undescribed}")

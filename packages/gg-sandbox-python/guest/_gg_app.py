"""The component's entry: what the world `guest` exports.

This module is imported once, when the component is built; the memory that it leaves is
the memory that every program starts with.
"""

import sys

import wit_world
from componentize_py_types import Err

import gg
from _gg_guest import ending, library, loop, modules, refusals, report, run, sources, zones

library.preload(report="/0/stdlib.json")
loop.install()
refusals.install(library.MISSING)
ending.install()
sources.install()
modules.prepare()
zones.install("/0/tzdata/zoneinfo")
run.prepare(gg)


class WitWorld(wit_world.WitWorld):
    """The exports of the world."""

    def run(self, name: str, source: bytes, modules: list[tuple[str, bytes]]) -> None:
        """Runs a program with these code modules in scope; raises `Err` where it failed."""
        if not run.program(name, bytes(source), modules):
            raise Err(None)


report.disguise(WitWorld.run, run.program, ending.finish, ending.forget)
run.seal(keep={"gg"})

#!/usr/bin/env python3
"""Docstring of the module, with ünïcödé."""
from __future__ import annotations

import a.b as c, d
from ..pkg import (name as alias, other)
from mod import *


@decorator(1, key="v")
class C(Base, metaclass=Meta):
    field: int = 3
    """attribute docstring"""

    async def method(self, x: list[int] | None = None, *args: T, y=1, **kwargs) -> dict[str, "C"]:
        async with open(x) as f, lock:
            for i, (j, *rest) in enumerate(x):
                yield i if i else -j
        try:
            del self.a[1:2, ...], b
        except* (E, F) as e:
            raise X(f"a{e!r:>{width}}b") from e
        else:
            global g
        finally:
            lambda q, /, *, r=2: (q, r)
        return {**kwargs, "k": [v async for v in x if v], 'n': {1, 2}}


def f[T: int](p):
    match p:
        case {"k": [1, *_], **rest} if rest:
            print("a" "b", 0x1F, 1j, b'\x00', sep='')
        case Point(x=0) | None:
            pass
    while (n := next(p)) is not None and n not in q:
        assert n @ m << 2, "no"
        continue
    type Alias[K] = dict[K, T]
    exec "code"
    x += yield from g()
    return not a < b <= c ** -d // e

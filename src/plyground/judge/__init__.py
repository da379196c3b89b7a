"""What is known about a position and its moves: one answer for all parts of the program.

The package has the name of the public function `plyground.judge`, so it can be called too: `plyground.judge(position)`
works whichever of the two Python finds under that name.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.judge.judgement import Judgement
    from plyground.search.base import Limit


class _Callable(ModuleType):
    def __call__(self, position: Position, limit: Limit | None = None, *, opinions: bool = False) -> Judgement:
        from plyground.judge.judge import judge_position
        from plyground.search.base import NO_LIMIT

        return judge_position(position, NO_LIMIT if limit is None else limit, opinions=opinions)


sys.modules[__name__].__class__ = _Callable

"""Machine code made by another process while a search goes on in plain Python."""

from __future__ import annotations

import threading

from attrs import field

from rulewright.base.records import define
from rulewright.subset.program import Program, as_machine_code_by

from .kernel_problem import KernelProblem


@define(eq=False)
class Compilation:
    """Begins when it is made, and is given up when `time.monotonic()` reaches the deadline, or when it is cancelled."""

    kernels: KernelProblem
    deadline: float
    _program: Program | None = None
    _error: Exception | None = None
    _cancelled: threading.Event = field(factory=threading.Event)
    _thread: threading.Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._thread = threading.Thread(target=self._make, daemon=True)
        self._thread.start()

    def _make(self) -> None:
        try:
            self._program = self.kernels.program(as_machine_code_by(self.deadline, self._cancelled))
        except Exception as error:
            self._error = error

    def is_over(self) -> bool:
        return not self._thread.is_alive()

    def cancel(self) -> None:
        """End the process."""
        self._cancelled.set()
        self._thread.join()

    def wait(self) -> None:
        """For a moment, or until it is over."""
        self._thread.join(0.05)

    @property
    def program(self) -> Program:
        """Once it is over. Raises `CannotCompile`, and `ImportError` where there is no compiler."""
        if self._error is not None:
            raise self._error
        assert self._program is not None
        return self._program

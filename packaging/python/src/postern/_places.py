"""How many calls a process makes at once, and until when each waits."""

from __future__ import annotations

import collections
import concurrent.futures
import math
import numbers
import os
import threading
import time
from types import TracebackType
from typing import Any, Deque, Optional, Type

from ._errors import InvalidArgument, TimedOut

#: Connections of one process for calls that wait for no person. The daemon has 256 for all programs, and refuses further ones.
LIMIT = 64
#: A longer time is none: the system's clocks do not count so far. In seconds, about 30 years.
LONGEST = 1e9


def checked_timeout(timeout: Any) -> Optional[float]:
    """The seconds to wait; None for no limit."""
    if timeout is None:
        return None
    number, shown = timeout, type(timeout).__name__
    if isinstance(timeout, numbers.Real) and not isinstance(timeout, bool):
        try:
            seconds = float(timeout)
        except OverflowError:
            seconds = math.inf if number > 0 else -math.inf
        if seconds > 0:
            return seconds if seconds < LONGEST else None
        shown = f"{seconds:g}"
    raise InvalidArgument(f"timeout must be a number of seconds greater than 0, or None for no limit; it is {shown}")


class Deadline:
    """When a call is given up."""

    def __init__(self, seconds: Optional[float]) -> None:
        self.seconds = seconds or 0.0
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> Optional[float]:
        """The seconds until then, more than 0; None if there is no limit."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    @property
    def has_passed(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end

    def passed(self) -> TimedOut:
        return TimedOut(self.seconds)


class Place:
    """A call's place among those that are made at once. `close` gives it back, whether or not it was obtained."""

    def __init__(self) -> None:
        self.future: concurrent.futures.Future[None] = concurrent.futures.Future()
        PLACES.take(self.future)

    def wait(self, deadline: Deadline) -> None:
        try:
            self.future.result(deadline.left())
        except concurrent.futures.TimeoutError as error:
            raise deadline.passed() from error

    def close(self) -> None:
        PLACES.give_back(self.future)

    def __enter__(self) -> Place:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        self.close()


class Places:
    """Hands out the places in the order in which they were asked for, to threads and to tasks of any event loop."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """A child process has none of its parent's threads, and so none of their calls."""
        # Reentrant: the end of an abandoned task may give its place back in the middle of anything.
        self._lock = threading.RLock()
        self._free = LIMIT
        self._waiting: Deque[concurrent.futures.Future[None]] = collections.deque()

    def take(self, place: concurrent.futures.Future[None]) -> None:
        with self._lock:
            if not self._free:
                self._waiting.append(place)
                return
            self._free -= 1
        place.set_result(None)

    def give_back(self, place: concurrent.futures.Future[None]) -> None:
        if place.cancel():
            return
        with self._lock:
            while self._waiting:
                following = self._waiting.popleft()
                if following.set_running_or_notify_cancel():
                    break
            else:
                self._free += 1
                return
        following.set_result(None)


PLACES = Places()
os.register_at_fork(after_in_child=PLACES.reset)

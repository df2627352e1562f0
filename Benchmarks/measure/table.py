"""Figures of several rounds, and the table of them."""
import dataclasses
import statistics


@dataclasses.dataclass(frozen=True)
class Figure:
    """What is measured. `against`: how the control is looked at, "ratio" or "above"; the aim is of that, or of the value itself."""

    words: str
    unit: str
    control: str = ""
    against: str = ""
    aim: float | None = None
    aims_at: str = "value"
    # More is better.
    more: bool = False

    def aimed_at(self, ours, control):
        if self.aims_at == "ratio":
            return ours / control
        return ours - control if self.aims_at == "above" else ours

    def aim_in_words(self):
        if self.aim is None:
            return ""
        sign = "≥" if self.more else "≤"
        return f"{sign} {number(self.aim)} ×" if self.aims_at == "ratio" else f"{sign} {number(self.aim)} {self.unit}".rstrip()


def number(value):
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    return (f"{value:.1f}" if size >= 10 else f"{value:.2f}").removesuffix("0").removesuffix(".0").removesuffix(".")


def spread(values, unit=""):
    """The median, and the lowest and highest of the rounds."""
    middle = f"{number(statistics.median(values))} {unit}".rstrip()
    low, high = number(min(values)), number(max(values))
    return middle if low == high else f"{middle} ({low}–{high})"


class Table:
    """Rows in the order in which they were first measured."""

    def __init__(self, other=None):
        self.rounds = {}
        # The other build, where two are compared.
        self.other, self.others = other, {}

    def add(self, samples, other=False):
        for figure, pair in samples.items():
            (self.others if other else self.rounds).setdefault(figure, []).append(pair)

    def header(self):
        if self.other:
            return "| figure | this build | the other | this / other, by rounds |\n| --- | --- | --- | --- |"
        return "| figure | Postern | beside it | against it | aim | |\n| --- | --- | --- | --- | --- | --- |"

    def row(self, figure):
        pairs = self.rounds[figure]
        ours = [pair[0] for pair in pairs]
        if self.other:
            theirs = [pair[0] for pair in self.others[figure]]
            ratios = [a / b for a, b in zip(ours, theirs, strict=True) if b]
            return f"| {figure.words} | {spread(ours, figure.unit)} | {spread(theirs, figure.unit)} | {spread(ratios) if ratios else ''} |"
        beside = against = ""
        if figure.control:
            control = [pair[1] for pair in pairs]
            beside = f"{figure.control} {spread(control, figure.unit)}"
            if figure.against == "ratio":
                against = spread([a / b for a, b in pairs]) + " ×"
            elif figure.against == "above":
                against = "+" + spread([a - b for a, b in pairs], figure.unit)
        missed = ""
        if figure.aim is not None:
            reached = statistics.median(figure.aimed_at(*pair) for pair in pairs)
            missed = "" if (reached >= figure.aim if figure.more else reached <= figure.aim) else "**missed**"
        return f"| {figure.words} | {spread(ours, figure.unit)} | {beside} | {against} | {figure.aim_in_words()} | {missed} |"

    def lines(self):
        return [self.header(), *(self.row(figure) for figure in self.rounds)]

"""A question with a list of answers."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.specs import unknown


@dataclass(frozen=True)
class Choice:
    """One of the answers."""

    key: str
    """What is chosen."""

    word: str = ""
    """A word about it."""

    label: str = ""
    """What it is called in the list; its key where that is empty."""

    @property
    def shown(self) -> str:
        """What it is called in the list."""
        return self.label or self.key


@dataclass(frozen=True)
class Menu:
    """A question, and what can be answered by its number, its name, or Enter for the default."""

    title: str
    prompt: str
    choices: tuple[Choice, ...]
    default: int = 0

    refusal: str = ""
    """What is said to an answer that is none; what exists where that is empty."""

    noun: str = ""
    """What an answer is, where the prompt does not say it."""

    @property
    def listing(self) -> str:
        """The choices, one line each."""
        width = max(len(choice.shown) for choice in self.choices)
        rows = enumerate(self.choices, start=1)
        return "\n".join(f"{number:3}  {choice.shown:{width}}  {choice.word}".rstrip() for number, choice in rows)

    @property
    def question(self) -> str:
        """What stands before the cursor."""
        return f"{self.prompt} [{self.default + 1}]: "

    def chosen(self, answer: str) -> str:
        """What an answer means; one that begins like `key:` is a spec and stays as it is. ValueError for none."""
        keys = [choice.key for choice in self.choices]
        if not answer:
            return keys[self.default]
        if answer.isdecimal() and 1 <= int(answer) <= len(keys):
            return keys[int(answer) - 1]
        if answer.partition(":")[0] in keys:
            return answer
        for choice in self.choices:
            if answer.lower() in (choice.shown.lower(), choice.key.lower()):
                return choice.key
        if self.refusal:
            raise ValueError(f"{self.refusal}, got {answer!r}")
        raise ValueError(self._unknown(answer))

    def _unknown(self, answer: str) -> str:
        """What is said to an answer that is none: the nearest, and all in the words and the order of the list."""
        found = str(unknown(self.noun or self.prompt.lower(), answer, (choice.key for choice in self.choices)))
        listed = ", ".join(choice.shown for choice in self.choices)
        return f"{found.rpartition(' known: ')[0]} known: {listed}, or a number from 1 to {len(self.choices)}"

    @property
    def help(self) -> str:
        """How to answer."""
        return f"type a number or a name, Enter for {self.choices[self.default].shown}, quit to leave"

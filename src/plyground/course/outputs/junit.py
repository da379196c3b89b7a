"""A grade as JUnit XML, which most build servers show."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from plyground.course.grade import Grade

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold; a submission may have written anything to stderr."""


def to_junit(grade: Grade) -> str:
    """One test case per criterion; it fails where points are missing."""
    failed = sum(not mark.passed for mark in grade.marks)
    name = f"{grade.submission.name}: {grade.rubric.title}"
    suite = ElementTree.Element("testsuite", name=_clean(name), tests=str(len(grade.marks)), failures=str(failed))
    for mark in grade.marks:
        case = ElementTree.SubElement(suite, "testcase", classname=grade.rules.name, name=_clean(mark.criterion.name))
        text = _clean("\n".join(mark.details))
        points = f"{mark.points:g} of {mark.criterion.points:g} points"
        if mark.passed:
            ElementTree.SubElement(case, "system-out").text = f"{points}\n{text}"
        else:
            ElementTree.SubElement(case, "failure", message=points).text = text
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)

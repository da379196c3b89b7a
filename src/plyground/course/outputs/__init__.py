"""A grade in the forms that people and learning platforms read."""

from plyground.course.outputs.forms import FORMS, form_of, written

__all__ = ["FORMS", "form_of", "written"]

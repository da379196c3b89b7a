"""Teaching with the program: submissions, rubrics and grades."""

"""The page as a folder of files that needs no server: what Python knows of each game is written down as data."""

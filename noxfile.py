"""The sessions by which the project is checked and built."""

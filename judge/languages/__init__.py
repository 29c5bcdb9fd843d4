"""Languages: how a source file becomes a program that can run."""

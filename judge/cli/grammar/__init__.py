"""The commands: their words, options, help and examples. Only names of what carries them out stand here."""

"""What every other package may use: units, our errors, files, links and git. Knows nothing of judging."""

"""Test data: inputs made, validated, answered and confirmed; never a verdict on a submission."""

"""The judge you trust before you press submit: runs solutions against cases and tells the truth about them."""

__version__ = "0.1.0"

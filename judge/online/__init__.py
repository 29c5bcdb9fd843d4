"""Online judges: getting problems from them, preparing a source for them, and submitting to them."""

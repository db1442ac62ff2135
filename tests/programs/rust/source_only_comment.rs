// Nothing to do this time.

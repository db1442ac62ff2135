import warnings

warnings.warn("old_function is deprecated", DeprecationWarning)
print("on")

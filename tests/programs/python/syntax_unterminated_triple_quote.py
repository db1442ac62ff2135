report = """
# Report

All is well.
print(report)

import gg

print(gg, gg.files)
print(hasattr(gg, "__file__"), gg.__path__)
try:
    from gg import file
except ImportError as error:
    print(error)

from gg import ApiError, ErrorCode, files

try:
    files.read_text_file("missing.txt")
except ApiError as error:
    print(error.operation, error.code, error.code is ErrorCode.NOT_FOUND, isinstance(error, Exception), repr(error))
try:
    files.read_text_file("missing.txt")
except ApiError as error:
    raise RuntimeError("the notes could not be read") from error

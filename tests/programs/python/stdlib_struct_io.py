import array
import io
import struct

packed = struct.pack("<IhB", 1, -2, 3)
print(packed.hex(), struct.unpack("<IhB", packed), struct.calcsize("<IhB"))
print(array.array("i", [1, 2, 3]).tobytes().hex(), bytes([104, 105]).decode(), bytearray(b"abc")[::-1])
reader = io.TextIOWrapper(io.BytesIO("é\nü\n".encode()), encoding="utf-8")
print(reader.readlines(), memoryview(b"abcdef")[2:4].tobytes())
struct.unpack("<I", b"\x01\x02")

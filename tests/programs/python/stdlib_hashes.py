import base64
import binascii
import hashlib
import hmac
import zlib

print(hashlib.sha256(b"abc").hexdigest()[:16], hashlib.md5(b"abc").hexdigest(), hashlib.blake2b(b"x").hexdigest()[:8])
print(base64.b64encode("héllo".encode()).decode(), base64.urlsafe_b64decode("_-8="), binascii.hexlify(b"\x01\xff"))
print(hmac.new(b"key", b"message", "sha256").hexdigest()[:16], zlib.crc32(b"abc"), len(zlib.compress(b"a" * 1000)))

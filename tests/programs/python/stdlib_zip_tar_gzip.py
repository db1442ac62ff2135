import gzip
import io
import tarfile
import zipfile

with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("docs/one.txt", "one" * 100)
with zipfile.ZipFile("a.zip") as archive:
    print(archive.namelist(), archive.read("docs/one.txt")[:6], archive.testzip())
print(gzip.decompress(gzip.compress(b"abc")))
buffer = io.BytesIO()
with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
    info = tarfile.TarInfo("x.txt")
    info.size = 3
    archive.addfile(info, io.BytesIO(b"xyz"))
buffer.seek(0)
print(tarfile.open(fileobj=buffer).getnames())

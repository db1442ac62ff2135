import os
import shutil

for root, folders, names in os.walk("src"):
    print(root, folders, sorted(names))
os.makedirs("a/b/c")
shutil.copy("README.md", "a/b/copy.md")
shutil.move("a/b/copy.md", "a/moved.md")
print(sorted(os.listdir("a")), os.path.getsize("a/moved.md"), os.path.join("a", "b"))
shutil.rmtree("a")
print(os.path.exists("a"), os.getcwd(), os.sep, os.name, os.cpu_count() or "unknown")
os.symlink("README.md", "link.md")
print(os.readlink("link.md"), open("link.md").readline().strip())

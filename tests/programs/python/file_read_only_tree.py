print(open("README.md").readline().strip())
open("new.txt", "w").write("x")

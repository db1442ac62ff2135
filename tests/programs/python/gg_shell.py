from gg import shell

done = shell.shell("echo out; echo err >&2; exit 3")
print(done)
print(shell.shell("wc -l < README.md; pwd; echo from bash > made.txt").output)
print(shell.shell("kill -9 $$"))
long = shell.shell("seq 1 20000")
print(long.truncated, len(long.output), long.output[-12:])
shell.shell("sleep 30", timeout_secs=1)

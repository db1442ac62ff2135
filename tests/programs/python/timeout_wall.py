from gg import shell

shell.shell("sleep 60")

from gg import file

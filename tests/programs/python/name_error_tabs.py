def f():
	if True:
		return	undefined_value + 1

f()

function f() {
	const é = "😀";	return	undefinedValue + 1;
}
f();

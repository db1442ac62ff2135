fn main() {
	let count: u32 = "three";
		let other = count + undefined;
}

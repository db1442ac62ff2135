const bytes = new Uint8Array([1, 2, 250]);
bytes[2] += 10;
const view = new DataView(new ArrayBuffer(8));
view.setFloat32(0, 1.5);
view.setInt16(4, -2, true);
console.log(bytes, view.getUint8(0), view.getInt16(4, true), new Float64Array(2), Uint8Array.from("123"), bytes.subarray(1));
console.log(new Uint8ClampedArray([300, -5]), new BigUint64Array([2n ** 64n]), [...new Uint16Array(bytes.buffer.slice(0, 2))]);
new Uint16Array(bytes.buffer, 1);

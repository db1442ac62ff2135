fn main() {
    let a: u32 = "1";
    let b: u32 = "2";
    let c: u32 = "3";
    let d: u32 = "4";
    let e: u32 = "5";
    let f: u32 = "6";
    let g: u32 = "7";
    let h: u32 = "8";
    let i: u32 = "9";
    let j: u32 = "10";
    let k: u32 = "11";
    let l: u32 = "12";
}

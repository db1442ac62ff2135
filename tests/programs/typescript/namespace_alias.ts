namespace Outer {
  export namespace Inner {
    export const value: number = 42;
  }
}
import Short = Outer.Inner;
console.log(Short.value);

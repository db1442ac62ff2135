function deco(v: any, c: ClassFieldDecoratorContext) { return (x: any) => x * 2 }
function cls<T extends new (...a: any[]) => object>(C: T, c: ClassDecoratorContext) { return class extends C { y = 1 } as any }
@cls export class A { @deco x = 4 }
console.log(JSON.stringify(new A()));

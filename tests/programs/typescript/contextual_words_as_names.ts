let async = 1; let type = 2; let of = 3; let declare = 4; let namespace = 5; let module = 6; let abstract = 7; let as = 8; let satisfies = 9;
type
 = 3; namespace
{ }
console.log(async, type, of, declare, namespace, module, abstract, as, satisfies);

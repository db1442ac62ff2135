//! Types as a program writes them under the `use` line of an entry's module.

use rustdoc_types::{GenericArg, GenericArgs, GenericBound, Id, Path, Type};

/// How a program writes the SDK's own items; none for those of the standard library.
type Names<'a> = dyn Fn(Id) -> Option<String> + 'a;

/// A type, or what it has that the SDK has no business to use.
pub fn type_of(type_: &Type, names: &Names<'_>) -> Result<String, String> {
    Ok(match type_ {
        Type::ResolvedPath(path) => path_of(path, names)?,
        Type::Generic(name) | Type::Primitive(name) => name.clone(),
        Type::Tuple(parts) => {
            let parts = parts.iter().map(|part| type_of(part, names)).collect::<Result<Vec<_>, _>>()?;
            format!("({})", parts.join(", "))
        }
        Type::Slice(of) => format!("[{}]", type_of(of, names)?),
        Type::BorrowedRef { lifetime, is_mutable, type_ } => {
            let lifetime = lifetime.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
            format!("&{lifetime}{}{}", if *is_mutable { "mut " } else { "" }, type_of(type_, names)?)
        }
        Type::ImplTrait(bounds) => {
            let bounds = bounds.iter().map(|bound| bound_of(bound, names)).collect::<Result<Vec<_>, _>>()?;
            format!("impl {}", bounds.join(" + "))
        }
        other => return Err(format!("the type {other:?} is not one that the catalogue writes")),
    })
}

fn bound_of(bound: &GenericBound, names: &Names<'_>) -> Result<String, String> {
    match bound {
        GenericBound::TraitBound { trait_, .. } => path_of(trait_, names),
        other => Err(format!("the bound {other:?} is not one that the catalogue writes")),
    }
}

/// A path as a program writes it: what stands before the name in the SDK is the SDK's own affair.
fn path_of(path: &Path, names: &Names<'_>) -> Result<String, String> {
    let name = names(path.id).unwrap_or_else(|| path.name.rsplit("::").next().unwrap_or_default().to_owned());
    let Some(GenericArgs::AngleBracketed { args, constraints }) = path.args.as_deref() else {
        return if path.args.is_none() { Ok(name) } else { Err(format!("{name} takes a function's form")) };
    };
    if !constraints.is_empty() {
        return Err(format!("{name} has a constraint"));
    }
    let args = args
        .iter()
        .map(|arg| match arg {
            GenericArg::Type(type_) => type_of(type_, names),
            GenericArg::Lifetime(name) => Ok(name.clone()),
            other => Err(format!("{name} takes {other:?}")),
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(if args.is_empty() { name } else { format!("{name}<{}>", args.join(", ")) })
}

/// The items that a type names.
pub fn named(type_: &Type, found: &mut Vec<rustdoc_types::Id>) {
    match type_ {
        Type::ResolvedPath(path) => {
            found.push(path.id);
            if let Some(GenericArgs::AngleBracketed { args, .. }) = path.args.as_deref() {
                for arg in args {
                    if let GenericArg::Type(type_) = arg {
                        named(type_, found);
                    }
                }
            }
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| named(part, found)),
        Type::Slice(of) | Type::BorrowedRef { type_: of, .. } => named(of, found),
        _ => {}
    }
}

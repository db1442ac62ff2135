//! Namespaces in more than one block: a block sees by their bare names what the others export, which takes the checker's own
//! knowledge to write out. Such a name is refused, and the sentence says what to write.

use super::Refused;
use super::parse::Parsed;
use std::collections::{HashMap, HashSet};
use swc_common::{Mark, Span};
use swc_ecma_ast::{
    Decl, Ident, ModuleDecl, ModuleItem, Program, TsInterfaceDecl, TsModuleBlock, TsModuleDecl, TsModuleName,
    TsNamespaceBody, TsType, TsTypeAliasDecl, TsTypeAnn, TsTypeParamInstantiation,
};
use swc_ecma_utils::find_pat_ids;
use swc_ecma_visit::{Visit, VisitWith};

/// The first name of another block, if a block has one. Names were resolved: those of no scope carry `unresolved`.
pub(super) fn refused(parsed: &Parsed, program: &Program, unresolved: Mark) -> Option<Refused> {
    let mut blocks = Blocks::default();
    program.visit_with(&mut blocks);
    let mut uses = Uses { exported: blocks.exported, unresolved, path: Vec::new(), others: Vec::new(), found: None };
    program.visit_with(&mut uses);
    let (span, name, namespace) = uses.found?;
    let message =
        format!("`{name}` is of another block of its namespace. Write `{namespace}.{name}`, or join the blocks.");
    Some(parsed.refuse(span, message))
}

/// What each block of each namespace exports, by the namespace's whole name.
#[derive(Default)]
struct Blocks {
    path: Vec<String>,
    exported: HashMap<String, Vec<HashSet<String>>>,
}

/// The blocks of a declaration: `A.B` is a block of `A` that exports `B`, and one of `A.B`.
fn within(declaration: &TsModuleDecl) -> Option<(Vec<String>, &TsModuleBlock)> {
    let TsModuleName::Ident(name) = &declaration.id else { return None };
    let mut names = vec![name.sym.to_string()];
    let mut body = declaration.body.as_ref().filter(|_| !declaration.declare)?;
    loop {
        match body {
            TsNamespaceBody::TsModuleBlock(block) => return Some((names, block)),
            TsNamespaceBody::TsNamespaceDecl(inner) => {
                names.push(inner.id.sym.to_string());
                body = &inner.body;
            }
        }
    }
}

impl Visit for Blocks {
    fn visit_ts_module_decl(&mut self, declaration: &TsModuleDecl) {
        let Some((names, block)) = within(declaration) else { return };
        let depth = self.path.len();
        for (number, name) in names.iter().enumerate() {
            self.path.push(name.clone());
            let exports = match names.get(number + 1) {
                Some(inner) => HashSet::from([inner.clone()]),
                None => exports(block),
            };
            self.exported.entry(self.path.join(".")).or_default().push(exports);
        }
        block.visit_children_with(self);
        self.path.truncate(depth);
    }
}

fn exports(block: &TsModuleBlock) -> HashSet<String> {
    let declared = block.body.iter().filter_map(|item| match item {
        ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => Some(&export.decl),
        _ => None,
    });
    let names = declared.flat_map(|declaration| match declaration {
        Decl::Class(class) => vec![class.ident.sym.to_string()],
        Decl::Fn(function) => vec![function.ident.sym.to_string()],
        Decl::TsEnum(one) => vec![one.id.sym.to_string()],
        Decl::TsModule(module) => match &module.id {
            TsModuleName::Ident(name) => vec![name.sym.to_string()],
            TsModuleName::Str(_) => Vec::new(),
        },
        Decl::Var(variables) => {
            let names = variables.decls.iter().flat_map(|one| find_pat_ids::<_, Ident>(&one.name));
            names.map(|name| name.sym.to_string()).collect()
        }
        _ => Vec::new(),
    });
    names.collect()
}

struct Uses {
    exported: HashMap<String, Vec<HashSet<String>>>,
    unresolved: Mark,
    path: Vec<String>,
    /// What other blocks of the namespaces around here export, with the namespace's name.
    others: Vec<(String, HashSet<String>)>,
    found: Option<(Span, String, String)>,
}

impl Visit for Uses {
    fn visit_ts_module_decl(&mut self, declaration: &TsModuleDecl) {
        let Some((names, block)) = within(declaration) else { return };
        let (depth, around) = (self.path.len(), self.others.len());
        for name in names {
            self.path.push(name);
            let namespace = self.path.join(".");
            let blocks = self.exported.get(&namespace).map(Vec::as_slice).unwrap_or_default();
            if blocks.len() > 1 {
                self.others.push((namespace, blocks.iter().flatten().cloned().collect()));
            }
        }
        block.visit_children_with(self);
        self.path.truncate(depth);
        self.others.truncate(around);
    }

    fn visit_ident(&mut self, name: &Ident) {
        if self.found.is_some() || name.ctxt.outer() != self.unresolved {
            return;
        }
        let of = self.others.iter().rev().find(|(_, names)| names.contains(name.sym.as_str()));
        if let Some((namespace, _)) = of {
            self.found = Some((name.span, name.sym.to_string(), namespace.clone()));
        }
    }

    // A type stands for nothing when the program runs.
    fn visit_ts_type(&mut self, _: &TsType) {}
    fn visit_ts_type_ann(&mut self, _: &TsTypeAnn) {}
    fn visit_ts_type_param_instantiation(&mut self, _: &TsTypeParamInstantiation) {}
    fn visit_ts_interface_decl(&mut self, _: &TsInterfaceDecl) {}
    fn visit_ts_type_alias_decl(&mut self, _: &TsTypeAliasDecl) {}
}

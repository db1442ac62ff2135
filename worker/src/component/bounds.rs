//! What a core module may hold. The engine's compile cannot be interrupted, so what makes it long or large is refused
//! before: a function of thousands of locals takes some compilers minutes and gigabytes.

use std::fmt;
use wasmparser::{BinaryReaderError, Operator, Parser, Payload};

/// The bounds, by the names that errors use.
const MODULE_BYTES: u64 = 32 << 20;
const FUNCTIONS: u64 = 200_000;
const FUNCTION_BYTES: u64 = 2 << 20;
const FUNCTION_LOCALS: u64 = 20_000;
const BLOCK_NESTING: u64 = 2_000;

/// A bound that a module passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundReached {
    /// Its name.
    pub name: &'static str,
    /// What the module has.
    pub value: u64,
    /// The bound.
    pub bound: u64,
}

impl fmt::Display for BoundReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.name {
            "moduleBytes" => "the compiled program's bytes",
            "functions" => "the compiled program's functions",
            "functionBytes" => "the bytes of one of its functions",
            "functionLocals" => "the locals of one of its functions",
            _ => "the nesting of blocks in one of its functions",
        };
        write!(
            f,
            "{what} are {}, and at most {} are taken (bound {}). Write less, or in smaller functions.",
            self.value, self.bound, self.name
        )
    }
}

/// The first bound that the module passes; an error where it is no module.
pub fn check(module: &[u8]) -> Result<Option<BoundReached>, BinaryReaderError> {
    let over = |name, value, bound| (value > bound).then_some(BoundReached { name, value, bound });
    if let Some(reached) = over("moduleBytes", module.len() as u64, MODULE_BYTES) {
        return Ok(Some(reached));
    }
    for payload in Parser::new(0).parse_all(module) {
        let reached = match payload? {
            Payload::CodeSectionStart { count, .. } => over("functions", count.into(), FUNCTIONS),
            Payload::CodeSectionEntry(body) => {
                let range = body.range();
                over("functionBytes", (range.end - range.start) as u64, FUNCTION_BYTES).map_or_else(
                    || {
                        let mut locals = 0u64;
                        for run in body.get_locals_reader()? {
                            locals += u64::from(run?.0);
                        }
                        Ok(match over("functionLocals", locals, FUNCTION_LOCALS) {
                            Some(reached) => Some(reached),
                            None => over("blockNesting", nesting(&body)?, BLOCK_NESTING),
                        })
                    },
                    |reached| Ok(Some(reached)),
                )?
            }
            _ => None,
        };
        if reached.is_some() {
            return Ok(reached);
        }
    }
    Ok(None)
}

/// How deep the function's blocks nest.
fn nesting(body: &wasmparser::FunctionBody<'_>) -> Result<u64, BinaryReaderError> {
    let (mut depth, mut deepest) = (0u64, 0);
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } | Operator::TryTable { .. } => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            Operator::End => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(deepest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{BlockType, CodeSection, Function, FunctionSection, Instruction, Module, TypeSection, ValType};

    fn module(locals: u32, depth: usize) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut function = Function::new([(locals, ValType::I32)]);
        for _ in 0..depth {
            function.instruction(&Instruction::Block(BlockType::Empty));
        }
        for _ in 0..=depth {
            function.instruction(&Instruction::End);
        }
        let mut code = CodeSection::new();
        code.function(&function);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&code);
        module.finish()
    }

    fn reached(module: &[u8]) -> Option<&'static str> {
        check(module).expect("a module").map(|reached| reached.name)
    }

    #[test]
    fn what_would_make_the_engine_compile_for_long_is_named() {
        assert_eq!(reached(&module(10, 10)), None);
        assert_eq!(reached(&module(FUNCTION_LOCALS as u32 + 1, 1)), Some("functionLocals"));
        assert_eq!(reached(&module(1, BLOCK_NESTING as usize + 1)), Some("blockNesting"));
        assert_eq!(reached(&module(1, FUNCTION_BYTES as usize / 3)), Some("functionBytes"));
        assert_eq!(reached(&vec![0; MODULE_BYTES as usize + 1]), Some("moduleBytes"));
        let text = check(&module(1, BLOCK_NESTING as usize + 1)).expect("module").expect("bound").to_string();
        assert!(text.contains("2001") && text.contains("bound blockNesting"), "{text}");
    }

    #[test]
    fn what_is_no_module_is_an_error() {
        assert!(check(b"nonsense").is_err());
        assert!(check(&module(1, 1)[..20]).is_err());
    }
}

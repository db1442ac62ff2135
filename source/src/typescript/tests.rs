use super::*;

fn stripped(source: &str) -> String {
    match lower(source) {
        Lowered::Stripped(text) => {
            assert_eq!(text.lines().count(), source.lines().count(), "{text}");
            text
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn types_are_blanked_in_place() {
    let source = "const é: number = 1;\nfunction f<T>(x: T, ...y: T[]): x is T & {} { return x as any; }\n";
    let text = stripped(source);
    assert_eq!(text.encode_utf16().count(), source.encode_utf16().count());
    assert_eq!(text.lines().next(), Some("const é         = 1;"));
}

#[test]
fn an_import_that_is_only_a_type_is_blanked_and_a_value_is_not() {
    for (source, expected) in [
        ("import { A, b } from \"m\"; b(0 as A);", "import {    b } from \"m\"; b(0     );"),
        ("import { b, A } from \"m\"; b(0 as A);", "import { b,   } from \"m\"; b(0     );"),
        ("import { A /* , */ , b } from 'm'; b as A;", "import {             b } from 'm'; b     ;"),
        ("import { A } from \"m\";\nlet x: A;", "                      \nlet x   ;"),
        ("import d, { A } from \"m\"; d as A", "import d, {   } from \"m\"; d     "),
        ("import { A } from \"m\"; { const A = 1; A; } let x: A;", "                       { const A = 1; A; } let x   ;"),
        ("import {} from \"m\"; import \"n\";", "import {} from \"m\"; import \"n\";"),
        ("import { A as B, c } from \"m\"; c; let x: B;", "import {         c } from \"m\"; c; let x   ;"),
    ] {
        assert_eq!(stripped(source), expected);
    }
}

#[test]
fn what_is_more_than_its_types_is_written_out_and_its_places_are_known() {
    let source = "enum E { A = 1, B }\n\nclass C { constructor(private x: number) {} }\n\nthrow new Error(`${E.B}`);\n";
    let Lowered::Moved(text, Places(places)) = lower(source) else { panic!("not moved") };
    let at = text.lines().position(|line| line.contains("throw")).expect("it throws");
    let line = u32::try_from(at + 1).expect("few");
    let place = places.iter().find(|[written, ..]| *written == line).expect("a place on its line");
    assert_eq!(place[2..], [5, 1], "{text}");
    assert!(places.is_sorted());
}

#[test]
fn decorators_and_accessors_are_written_out() {
    for source in ["function d(..._: any[]) {}\n@d class A { @d m() {} @d x = 1; }", "class A { accessor x = 1 }"] {
        let Lowered::Moved(text, _) = lower(source) else { panic!("not moved") };
        assert!(!text.contains("@d") && !text.contains("accessor x"), "{text}");
    }
}

#[test]
fn jsx_is_told_from_what_does_not_read_otherwise() {
    for (source, jsx) in [("const x = <p>hello</p>;", true), ("<></>;", true), ("const x = <p;", false), ("const", false)] {
        let Lowered::Refused(refused) = lower(source) else { panic!("{source} was taken") };
        assert_eq!(refused.kind == Kind::Jsx, jsx, "{source}");
        assert!(!refused.message.is_empty() && refused.line == 1);
    }
    assert!(matches!(lower("const x = <number>1;"), Lowered::Stripped(_) | Lowered::Moved(..)), "an assertion");
}

#[test]
fn what_needs_another_kind_of_module_is_refused_where_it_stands() {
    for (source, word) in [("\nimport x = require(\"fs\");", "require"), ("\n export = 1;", "export =")] {
        let Lowered::Refused(refused) = lower(source) else { panic!("{source} was taken") };
        assert!(refused.message.contains(word) && refused.line == 2, "{refused:?}");
    }
}

#[test]
fn what_the_engine_does_not_read_is_refused_where_it_stood() {
    let regular = "type A = 1;\nconst ok = /a/;\n  const r = /(?<a>x)(?<a>y)/;\n";
    let rewritten = format!("enum E {{\n A }}\n{regular}");
    for (source, place) in [(regular, (3, 13)), (rewritten.as_str(), (5, 13))] {
        let Lowered::Refused(refused) = lower(source) else { panic!("{source} was taken") };
        assert_eq!((refused.line, refused.column), place, "{}", refused.message);
        assert!(refused.message.contains("duplicate group name"), "{}", refused.message);
    }
}

#[test]
fn what_is_written_out_stands_on_its_own_lines() {
    let source = "enum E {\n  A,\n  B = \"b\",\n}\n\nfunction f(x: E): string {\n  return `${x}\n${E.A}`;\n}\n\nclass C {\n  constructor(private n: number) {}\n  get() {\n    return this.n; }\n}\nf(E.B); new C(1).get();\n";
    let Lowered::Moved(text, _) = lower(source) else { panic!("not moved") };
    for (number, line) in source.lines().enumerate() {
        let part = line.trim().trim_end_matches(" {");
        if part.starts_with("return") || part.starts_with("f(") {
            let written = text.lines().nth(number).unwrap_or_default();
            assert!(written.contains(part.split(';').next().unwrap_or(part)), "{number}: {written}\n{text}");
        }
    }
}

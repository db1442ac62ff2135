use super::*;
use crate::prompts::PinnedSkill;
use crate::testing::catalogue;
use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::job::ViewKind;
use gg_common::outcome::{Outcome, ProgramError, Rejection};
use gg_common::profile::Profile;
use gg_common::state::TurnRange;

fn window() -> Window {
    let profile = Profile::with_everything(Arm::Python);
    let agent = Agent::new(&profile, &Ceilings::default(), &catalogue(Arm::Python));
    let prompts = Arc::new(Prompts::new().expect("prompts"));
    Window::open(prompts, Arc::new(agent), "Count the words.", true).expect("window")
}

fn file(path: &str, region: Option<&str>, body: &str) -> ShownView {
    let key = ViewKey { kind: ViewKind::File, selector: path.to_owned(), region: region.map(str::to_owned) };
    ShownView { key, body: body.to_owned() }
}

fn text(label: &str, body: &str) -> ShownView {
    let key = ViewKey { kind: ViewKind::Text, selector: label.to_owned(), region: None };
    ShownView { key, body: body.to_owned() }
}

fn showing(views: &[ShownView]) -> Feedback {
    let mut feedback = Feedback::of(&Outcome::Completed, &[]);
    for view in views {
        feedback.show(view.clone());
    }
    feedback
}

/// The feedback of a turn, from 1.
fn read(window: &Window, turn: usize) -> &str {
    &window.messages()[2 * turn + 1].text
}

#[test]
fn a_view_replaces_its_predecessor_of_the_same_kind_name_and_region_and_no_other() {
    let mut window = window();
    let first = [file("a.txt", None, "old\n"), file("a.txt", Some("lines 1-2"), "part\n"), text("a.txt", "label\n")];
    window.close_turn("one", showing(&first)).expect("close");
    window.close_turn("two", showing(&[file("a.txt", None, "new\n")])).expect("close");
    assert!(!read(&window, 1).contains("old"), "{}", read(&window, 1));
    assert!(read(&window, 1).contains("opened again in turn 2"));
    assert!(read(&window, 1).contains("part") && read(&window, 1).contains("label"));
    assert_eq!(read(&window, 2), "<view kind=\"file\" name=\"a.txt\">\nnew\n</view>");
    insta::assert_snapshot!("replaced", read(&window, 1));
}

#[test]
fn within_a_turn_views_keep_the_order_of_their_first_opening() {
    let mut window = window();
    let views = [text("b", "1"), text("a", "2"), text("b", "3"), text("c", "4"), text("a", "5")];
    window.close_turn("one", showing(&views)).expect("close");
    let names: Vec<&str> = read(&window, 1).lines().filter(|line| !line.starts_with('<')).collect();
    assert_eq!(names.join(" ").split_whitespace().collect::<Vec<_>>(), ["3", "5", "4"]);
}

#[test]
fn what_a_turn_does_not_change_stays_as_it_was_rendered() {
    let mut window = window();
    window.close_turn("one", showing(&[text("a", "1")])).expect("close");
    let before = window.messages().to_vec();
    let tokens = window.tokens();
    window.close_turn("two", showing(&[text("b", "2")])).expect("close");
    for (was, is) in before.iter().zip(window.messages()) {
        assert!(Arc::ptr_eq(&was.text, &is.text));
    }
    let added: u64 = window.messages()[4..].iter().map(|message| u64::from(message.tokens)).sum();
    assert_eq!(window.tokens(), tokens + added);
    assert_eq!(&*window.messages()[4].text, "two");
    assert_eq!(window.messages()[4].speaker, Speaker::Model);
}

#[test]
fn a_completed_program_that_showed_nothing_is_told_so_and_a_failed_one_is_not() {
    let mut window = window();
    window.close_turn("one", Feedback::of(&Outcome::Completed, &[])).expect("close");
    assert!(read(&window, 1).contains("opened no view"));
    let failed = Outcome::Failed {
        error_type: ProgramError::Error,
        error_text: "Traceback…\nValueError: <&> \"x\"".to_owned(),
        location: None,
        exit_code: None,
    };
    window.close_turn("two", Feedback::of(&failed, &[])).expect("close");
    assert_eq!(read(&window, 2), "Program error:\n\nTraceback…\nValueError: <&> \"x\"");
}

#[test]
fn each_kind_of_rejection_has_its_band() {
    let band = |error_type| {
        let mut window = window();
        let outcome = Outcome::Rejected { error_type, error_text: "the text".to_owned() };
        window.close_turn("x", Feedback::of(&outcome, &[])).expect("close");
        read(&window, 1).to_owned()
    };
    for compiler in [Rejection::TranspileSyntax, Rejection::TranspileCompile, Rejection::TranspileUnsupported] {
        assert_eq!(band(compiler), "Compiler error:\n\nthe text");
    }
    for reply in [Rejection::ReplyEmpty, Rejection::ReplyTruncated, Rejection::ReplyTooLarge, Rejection::ReplyNotUtf8] {
        assert_eq!(band(reply), "Reply rejected:\n\nthe text");
    }
}

#[test]
fn a_compilers_words_are_read_verbatim_however_long_they_are_and_stay() {
    let error_text = "error[E0308]: <&> \"mismatched\"\t\n --> program.rs:2:18\n  |\n".repeat(4_000);
    let outcome = Outcome::Rejected { error_type: Rejection::TranspileCompile, error_text };
    let mut window = window();
    window.close_turn("x", Feedback::of(&outcome, &[])).expect("close");
    let told = format!("Compiler error:\n\n{}", outcome.model_text().expect("a text"));
    assert!(read(&window, 1) == told.trim_end(), "{} bytes of {}", read(&window, 1).len(), told.len());
    window.close_turn("y", Feedback::of(&Outcome::Completed, &[])).expect("close");
    assert!(read(&window, 1) == told.trim_end(), "and in every request after");
}

#[test]
fn a_turn_with_everything() {
    let failed = Outcome::Failed {
        error_type: ProgramError::UnknownName,
        error_text: "gg.ApiError: unavailable".to_owned(),
        location: None,
        exit_code: None,
    };
    let mut feedback = Feedback::of(&failed, &[]);
    feedback.show(file("notes.txt", Some("lines 1-2"), "naïve\nçà\n"));
    feedback.show(text("counts", "{\"a\": 1}"));
    feedback.pin(PinnedSkill { name: "tables".to_owned(), body: "# Tables\n\nRead them by row.".to_owned() });
    let mut window = window();
    feedback.refused = vec![window.agent().spelling("board.create_epic"), window.agent().spelling("files.search")];
    feedback.notices = vec!["The next turn is your last.".to_owned()];
    window.close_turn("x", feedback).expect("close");
    insta::assert_snapshot!("everything", read(&window, 1));
}

#[test]
fn a_skill_stands_where_it_was_read_last() {
    let mut window = window();
    let skill = PinnedSkill { name: "tables".to_owned(), body: "Read them by row.".to_owned() };
    for _ in 0..2 {
        let mut feedback = Feedback::of(&Outcome::Completed, &[]);
        feedback.pin(skill.clone());
        window.close_turn("x", feedback).expect("close");
    }
    assert_eq!(read(&window, 1), "(The skill `tables` that stood here was opened again in turn 2: read it there.)");
    assert_eq!(read(&window, 2), "<skill name=\"tables\">\nRead them by row.\n</skill>");
}

#[test]
fn a_reply_that_was_far_too_long_is_not_shown_back_whole() {
    let mut window = window();
    let long = "é".repeat(3 * 1024 * 1024);
    let outcome = Outcome::Rejected { error_type: Rejection::ReplyTooLarge, error_text: "too long".to_owned() };
    window.close_turn(&long, Feedback::of(&outcome, &[])).expect("close");
    let shown = &window.messages()[2].text;
    assert!(shown.len() < 5_000 && shown.contains("more bytes of this reply"), "{}", shown.len());
    window.close_turn(&long, Feedback::of(&Outcome::Completed, &[])).expect("close");
    assert_eq!(&*window.messages()[4].text, long, "what ran is shown whole");
}

#[test]
fn the_first_program_with_something_around_it_is_told_once_what_a_reply_must_be() {
    let failed = |error_text: &str| Outcome::Failed {
        error_type: ProgramError::Error,
        error_text: error_text.to_owned(),
        location: None,
        exit_code: None,
    };
    let told = "A reply is the program and nothing else, byte for byte";
    let mut window = window();
    window.close_turn("print(", Feedback::of(&failed("SyntaxError: '(' was never closed"), &[])).expect("close");
    assert!(!read(&window, 1).contains(told), "another error says nothing of it");
    let fenced = "```python\nprint(1)\n```";
    window.close_turn(fenced, Feedback::of(&failed("SyntaxError: invalid syntax"), &[])).expect("close");
    assert!(read(&window, 2).starts_with("Program error:\n\nSyntaxError: invalid syntax\n"), "{}", read(&window, 2));
    assert_eq!(read(&window, 2).matches(told).count(), 1, "{}", read(&window, 2));
    window.close_turn(fenced, Feedback::of(&failed("SyntaxError: invalid syntax"), &[])).expect("close");
    assert!(!read(&window, 3).contains(told), "{}", read(&window, 3));
    assert_eq!(&*window.messages()[4].text, fenced, "the reply stands as it was given");
}

fn turns(first: u32, last: u32) -> TurnRanges {
    TurnRanges::from_iter([TurnRange { first, last }])
}

#[test]
fn what_archived_turns_still_show_moves_to_the_turn_that_archives_them_in_their_order() {
    let mut window = window();
    let mut first = showing(&[text("a", "1"), text("b", "2"), text("c", "3"), text("d", "4")]);
    first.pin(PinnedSkill { name: "tables".to_owned(), body: "By row.".to_owned() });
    window.close_turn("one", first).expect("close");
    window.close_turn("two", Feedback::of(&Outcome::Completed, &[])).expect("close");
    // A view that is opened before the archiving is not taken over; one that is opened or closed after it no longer stands.
    let mut feedback = showing(&[text("a", "new a")]);
    window.archive(&turns(1, 2), &mut feedback);
    feedback.show(text("b", "new b"));
    feedback.close(text("c", "").key);
    window.close_turn("three", feedback).expect("close");
    assert_eq!(window.messages().len(), 2 + 2);
    assert_eq!(&*window.messages()[2].text, "three");
    let bodies: Vec<&str> = read(&window, 1).lines().filter(|line| !line.starts_with('<')).collect();
    assert_eq!(bodies.join(" ").split_whitespace().collect::<Vec<_>>().join(" "), "new a 4 new b By row.");
    // Turns keep their numbers.
    window.close_turn("four", showing(&[text("d", "newer")])).expect("close");
    assert!(read(&window, 1).contains("`d` that stood here was opened again in turn 4"), "{}", read(&window, 1));
}

#[test]
fn what_an_agent_keeps_stands_once_and_leaves_the_rest_as_it_was() {
    let mut window = window();
    let kept = |archived: &str| Kept { archived: archived.to_owned(), ..Kept::default() };
    window.close_turn("one", showing(&[text("a", "1")])).expect("close");
    let plain = window.messages().to_vec();
    window.keep(kept("1-2")).expect("keep");
    assert!(Arc::ptr_eq(&plain[2].text, &window.messages()[2].text));
    assert!(window.messages()[3].text.starts_with(&*plain[3].text) && window.messages()[3].text.contains("Turns 1-2"));
    window.close_turn("two", showing(&[text("b", "2")])).expect("close");
    assert!(Arc::ptr_eq(&plain[3].text, &window.messages()[3].text), "it moved on");
    assert!(window.messages()[5].text.contains("Turns 1-2"));
    window.keep(kept("")).expect("keep");
    assert!(!window.messages()[5].text.contains("archive"));
}

use super::*;
use crate::job::{Body, View, ViewKind};
use crate::objects::Durability;
use proptest::prelude::*;

fn kind() -> impl Strategy<Value = ViewKind> {
    prop_oneof![Just(ViewKind::File), Just(ViewKind::Text), Just(ViewKind::Docs), Just(ViewKind::SearchResults)]
}

fn key() -> impl Strategy<Value = ViewKey> {
    (kind(), "[ab]", proptest::option::of("[xy]")).prop_map(|(kind, selector, region)| ViewKey {
        kind,
        selector,
        region,
    })
}

fn effect() -> impl Strategy<Value = Effect> {
    let task = ("[a-d]", "[a-z]{0,3}", proptest::collection::vec("[a-d]", 0..3)).prop_map(|(id, title, blocked_by)| {
        Task { id, title, description: None, status: TaskStatus::Pending, blocked_by }
    });
    let memory = ("[a-c]", 0u64..9).prop_map(|(name, chars)| Memory {
        name,
        description: "d".into(),
        chars,
        body: ContentKey::of(b""),
        on_use: None,
        code: None,
    });
    prop_oneof![
        (key(), 0u32..9).prop_map(|(ViewKey { kind, selector, region }, tokens)| Effect::ViewOpened {
            view: View { kind, selector, region, body: Body::Inline(String::new()), tokens }
        }),
        key().prop_map(|view| Effect::ViewClosed { view }),
        (1u32..6, 0u32..3).prop_map(|(first, more)| Effect::ThreadArchived {
            turns: TurnRanges::from_iter([TurnRange { first, last: first + more }])
        }),
        task.prop_map(|task| Effect::TaskWritten { task }),
        "[a-d]".prop_map(|id| Effect::TaskRemoved { id }),
        memory.prop_map(|memory| Effect::MemoryWritten { memory }),
        "[a-c]".prop_map(|name| Effect::MemoryDeleted { name }),
        "[a-c]".prop_map(|name| Effect::SkillPinned { name }),
        ("[a-c]", "[a-b]").prop_map(|(key, source)| Effect::ModuleLoaded {
            module: LoadedModule {
                key,
                of: ModuleOf::Skill { name: "s".into() },
                source: ContentKey::of(source.as_bytes()),
                exports: ContentKey::of(b"[]"),
            }
        }),
        Just(Effect::Finish { summary: "done".into() }),
    ]
}

proptest! {
    #[test]
    fn effects_fold_the_same_in_one_go_and_in_pieces(
        effects in proptest::collection::vec((1u32..9, effect()), 0..60),
        cut in 0usize..60,
    ) {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let mut whole = State::default();
        effects.iter().for_each(|(turn, effect)| whole.apply(*turn, effect));
        let (first, second) = effects.split_at(cut.min(effects.len()));
        let mut pieces = State::default();
        first.iter().for_each(|(turn, effect)| pieces.apply(*turn, effect));
        // As a job carries it from one fold to the other.
        let carried = futures::executor::block_on(Carried::pack(&pieces, &objects)).expect("pack");
        let carried: Carried = serde_json::from_str(&serde_json::to_string(&carried).expect("json")).expect("reads");
        let mut pieces = carried.unpack_blocking(&objects).expect("unpack");
        second.iter().for_each(|(turn, effect)| pieces.apply(*turn, effect));
        prop_assert_eq!(&whole, &pieces);
        // A view stands once, and nothing waits for a task that was removed last.
        let keys: Vec<_> = whole.views.iter().map(|view| view.key.clone()).collect();
        prop_assert!(keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key)));
    }
}

#[test]
fn what_an_archived_turn_still_shows_moves_to_the_turn_that_archived_it() {
    let mut state = State::default();
    let open = |selector: &str| Effect::ViewOpened {
        view: View {
            kind: ViewKind::Text,
            selector: selector.into(),
            region: None,
            body: Body::Inline(String::new()),
            tokens: 1,
        },
    };
    state.apply(1, &open("a"));
    state.apply(2, &open("b"));
    state.apply(3, &open("c"));
    state.apply(4, &Effect::ThreadArchived { turns: TurnRanges::from_iter([TurnRange { first: 1, last: 2 }]) });
    let views: Vec<_> = state.views.iter().map(|view| (view.key.selector.as_str(), view.turn)).collect();
    assert_eq!(views, [("c", 3), ("a", 4), ("b", 4)]);
    assert!(state.thread.archived.contains(2) && !state.thread.archived.contains(3));
}

#[test]
fn a_long_state_travels_as_an_object_and_a_foreign_one_is_refused() {
    let folder = tempfile::tempdir().expect("tempdir");
    let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
    let mut state = State::default();
    for number in 0..1_000 {
        let view = View {
            kind: ViewKind::Text,
            selector: format!("view {number}"),
            region: None,
            body: Body::Inline(String::new()),
            tokens: 1,
        };
        state.apply(number, &Effect::ViewOpened { view });
    }
    let carried = futures::executor::block_on(Carried::pack(&state, &objects)).expect("pack");
    assert!(matches!(carried, Carried::Object { .. }));
    assert!(serde_json::to_string(&carried).expect("json").len() < 200);
    assert_eq!(carried.unpack_blocking(&objects).expect("unpack"), state);
    let key = objects.put_blocking(&b"{\"colour\":1}"[..]).expect("put");
    let error = Carried::Object { key, bytes: 12 }.unpack_blocking(&objects).expect_err("foreign").to_string();
    assert!(error.contains("colour") && error.contains("one release"), "{error}");
}

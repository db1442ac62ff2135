//! What the model reads after the turn. A body over a cap is refused and never cut.

use super::docs;
use super::files;
use super::modules;
use super::near::did_you_mean;
use super::{Turn, error};
use crate::contract::files::FileContents;
use crate::contract::views::{ViewEntry, ViewKind as ContractKind};
use crate::contract::{ApiError, ErrorCode};
use gg_common::job::{Body, Effect, INLINE_BYTES, View, ViewKind};
use gg_common::operation::Operation;
use gg_common::state::OpenView;
use gg_common::tokens;

/// What a label may have, in bytes.
pub const MAX_LABEL_BYTES: usize = 200;

/// How many views a turn may open: each costs the record and the model's window something, even an empty one.
pub const MOST_VIEWS: usize = 1_000;

/// Opens a view; one of the same kind, selector and region that this turn opened is replaced, and the new one comes last.
pub(super) fn open(
    turn: &mut Turn<'_>,
    operation: Operation,
    kind: ViewKind,
    selector: &str,
    region: Option<String>,
    text: &str,
) -> Result<(), ApiError> {
    let limits = &turn.profile.limits;
    if text.len() as u64 > limits.view_bytes {
        return Err(error(
            operation,
            ErrorCode::LimitExceeded,
            format!(
                "the view would hold {} bytes, more than the {} that a view may have (limit viewBytes): show a part of it",
                text.len(),
                limits.view_bytes
            ),
        ));
    }
    let same = |effect: &Effect| matches!(effect, Effect::ViewOpened { view } if view.kind == kind && view.selector == selector && view.region == region);
    let replaced: u64 = turn.effects.iter().filter(|e| same(e)).map(view_bytes).sum();
    let views = turn.effects.iter().filter(|e| matches!(e, Effect::ViewOpened { .. }) && !same(e)).count();
    if views >= MOST_VIEWS {
        return Err(error(
            operation,
            ErrorCode::LimitExceeded,
            format!("this turn has opened {views} views, and more than {MOST_VIEWS} are not shown: put more into each"),
        ));
    }
    let total = turn.view_bytes - replaced + text.len() as u64;
    if total > limits.views_turn_bytes {
        return Err(error(
            operation,
            ErrorCode::LimitExceeded,
            format!(
                "this turn's views would hold {total} bytes, more than the {} that a turn may show (limit viewsTurnBytes): show less, or show the rest in the next turn",
                limits.views_turn_bytes
            ),
        ));
    }
    let body = if text.len() <= INLINE_BYTES {
        Body::Inline(text.to_owned())
    } else {
        match turn.objects.put_blocking(text.as_bytes().to_vec()) {
            Ok(key) => Body::Object { key, bytes: text.len() as u64 },
            Err(problem) => {
                return Err(turn.farm_fault(operation, &problem, "the view could not be stored"));
            }
        }
    };
    turn.effects.retain(|e| !same(e));
    turn.view_bytes = total;
    let view = View { kind, selector: selector.to_owned(), region, body, tokens: tokens::estimate(text) };
    let opened = Effect::ViewOpened { view };
    turn.state.apply(turn.number, &opened);
    turn.effects.push(opened);
    Ok(())
}

/// Closes the views of which `which` holds, and gives them. One that stood before the turn leaves a record; one that this
/// turn opened leaves none, so that opening and closing in turns fills nothing.
pub(super) fn close_where(turn: &mut Turn<'_>, which: impl Fn(&OpenView) -> bool) -> Vec<OpenView> {
    let closed: Vec<OpenView> = turn.state.views.iter().filter(|view| which(view)).cloned().collect();
    for view in &closed {
        let opened = |effect: &Effect| {
            matches!(effect, Effect::ViewOpened { view: opened }
                if opened.kind == view.key.kind && opened.selector == view.key.selector && opened.region == view.key.region)
        };
        turn.view_bytes -= turn.effects.iter().filter(|effect| opened(effect)).map(view_bytes).sum::<u64>();
        turn.effects.retain(|effect| !opened(effect));
        let effect = Effect::ViewClosed { view: view.key.clone() };
        turn.state.apply(turn.number, &effect);
        if turn.stood.contains(&view.key) && !turn.effects.contains(&effect) {
            turn.effects.push(effect);
        }
    }
    closed
}

fn view_bytes(effect: &Effect) -> u64 {
    match effect {
        Effect::ViewOpened { view: View { body: Body::Inline(text), .. } } => text.len() as u64,
        Effect::ViewOpened { view: View { body: Body::Object { bytes, .. }, .. } } => *bytes,
        _ => 0,
    }
}

/// `views.open_text`
pub fn open_text(turn: &mut Turn<'_>, label: String, body: String) -> Result<(), ApiError> {
    let operation = Operation::ViewsOpenText;
    if label.trim().is_empty() {
        return Err(error(operation, ErrorCode::InvalidArgument, "the label is empty: name what the view shows"));
    }
    if label.len() > MAX_LABEL_BYTES {
        return Err(error(
            operation,
            ErrorCode::LimitExceeded,
            format!(
                "the label has {} bytes, more than the {MAX_LABEL_BYTES} that a label may have: shorten it",
                label.len()
            ),
        ));
    }
    open(turn, operation, ViewKind::Text, &label, None, &body)
}

/// `views.close`: every view of this selector, of whatever kind and region.
pub fn close(turn: &mut Turn<'_>, selector: String) -> Result<u32, ApiError> {
    // A file may be named as the other calls take it.
    let path = files::selector(Operation::ViewsClose, &selector).ok();
    let of = |view: &OpenView| {
        view.key.selector == selector
            || (view.key.kind == ViewKind::File && path.as_ref().is_some_and(|path| view.key.selector == *path))
    };
    Ok(close_where(turn, of).len() as u32)
}

/// `views.current`: the open views, in the order in which the model reads them.
pub fn current(turn: &mut Turn<'_>) -> Result<Vec<ViewEntry>, ApiError> {
    let entry = |view: &OpenView| ViewEntry {
        kind: match view.key.kind {
            ViewKind::File => ContractKind::File,
            ViewKind::Text => ContractKind::Text,
            ViewKind::Docs => ContractKind::Docs,
            ViewKind::SearchResults => ContractKind::SearchResults,
        },
        selector: view.key.selector.clone(),
        tokens: view.tokens,
        region: view.key.region.clone(),
    };
    Ok(turn.state.views.iter().map(entry).collect())
}

/// `views.open_file`: reads as `files.read_file` does, and shows what was read.
pub fn open_file(
    turn: &mut Turn<'_>,
    path: String,
    offset: Option<u32>,
    limit: Option<u32>,
) -> Result<FileContents, ApiError> {
    let operation = Operation::ViewsOpenFile;
    let shown_bytes = turn.profile.limits.view_bytes;
    let (selector, contents) = files::read(turn, operation, &path, offset, limit, shown_bytes)?;
    match &contents {
        FileContents::Text(text) => {
            let region = (offset.is_some() || limit.is_some() || text.byte_truncated)
                .then(|| format!("lines {}-{} of {}", text.first_line, text.last_line, text.total_lines));
            open(turn, operation, ViewKind::File, &selector, region, &text.contents)?;
        }
        FileContents::Image(image) => {
            let reason = image.not_shown_reason.as_deref().unwrap_or("it is not shown");
            let text = format!("A picture ({}, {} bytes): {reason}.", image.media_type, image.bytes);
            open(turn, operation, ViewKind::File, &selector, None, &text)?;
        }
    }
    Ok(contents)
}

/// `views.open_docs_view`: the documentation of a call or a type, and of the types that it names, one level.
pub fn open_docs_view(turn: &mut Turn<'_>, name: String) -> Result<(), ApiError> {
    let operation = Operation::ViewsOpenDocsView;
    let (surface, profile) = (modules::surface(turn, operation)?, turn.profile);
    let catalogue = &*surface.catalogue;
    let entry = match docs::find(catalogue, profile, &name) {
        Ok(entry) => entry,
        Err(near) => {
            let message = format!("nothing that you can call is named `{name}`{}", did_you_mean(&near));
            return Err(error(operation, ErrorCode::NotFound, message));
        }
    };
    open(turn, operation, ViewKind::Docs, &entry.key, None, &docs::page(catalogue, entry))?;
    for named in docs::types_beside(catalogue, profile, entry) {
        open(turn, operation, ViewKind::Docs, &named.key, None, &docs::page(catalogue, named))?;
    }
    Ok(())
}

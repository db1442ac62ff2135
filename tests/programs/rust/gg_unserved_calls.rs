use gg::core::ApiError;
use gg::delegation::Assignment;
use gg::{board, context, delegation};

fn told<T>(name: &str, result: Result<T, ApiError>) {
    match result {
        Ok(_) => println!("{name} answered"),
        Err(error) => println!("{name}: {} {}", error.operation, error.code),
    }
}

fn main() -> Result<(), gg::Failure> {
    told("epic", board::create_epic("ABC", "title", "description"));
    told("issue", board::create_issue("title", "dev", board::IssueOptions::default()));
    told("change", board::update_issue("I-1", board::IssuePatch::default()));
    told("order", board::set_issue_blocked_by("I-1", &["I-2"]));
    told("remove", board::remove_epic("E-1"));
    told("remove", board::remove_issue("I-1"));
    told("wait", board::wait_for_issue("I-1"));
    told("compact", context::compact("summary", &[]));
    told("spawn", delegation::spawn_subagent("dev", Assignment::Prompt("do it".into())));
    told("wait", delegation::wait_for_subagents(None));
    told("message", delegation::send_message("a", "hello"));
    told("state", delegation::transition_state("next", None));
    told("exec", delegation::exec("dev", None));
    told("fork", delegation::fork("continue"));
    board::create_epic("ABC", "title", "description")?;
    Ok(())
}

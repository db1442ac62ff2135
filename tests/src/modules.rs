//! Code modules of every arm, and programs that read and call them: what the gates over modules drive. An arm without its
//! part here does not compile.

use gg_common::arm::Arm;
use gg_common::objects::Objects;
use gg_common::profile::{Profile, Skill};
use gg_common::state::{Carried, State};
use gg_common::{
    content::ContentKey,
    job::{AgentId, Body, RunId, TurnJob, TurnResult},
};
use gg_worker::Worker;
use std::sync::Arc;

/// The name of the skill whose code is read. Its key is spelled from it.
pub const SKILL: &str = "word tools";

/// A module that offers `greet`, which gives a text with the marker in it.
pub fn module(arm: Arm, marker: &str) -> String {
    match arm {
        Arm::Javascript => {
            format!(
                "/** Greets somebody. */\nexport function greet(name) {{\n  return `{marker} greets ${{name}}`;\n}}\n"
            )
        }
        Arm::Python => format!(
            "def greet(name: str) -> str:\n    \"\"\"Greets somebody.\"\"\"\n    return f\"{marker} greets {{name}}\"\n"
        ),
        Arm::Typescript => format!(
            "/** Greets somebody. */\nexport function greet(name: string): string {{\n  return `{marker} greets ${{name}}`;\n}}\n"
        ),
        Arm::Rust => format!(
            "/// Greets somebody.\npub fn greet(name: &str) -> String {{\n    format!(\"{marker} greets {{name}}\")\n}}\n"
        ),
    }
}

/// A module that the arm's compiler refuses; none where no module of the arm is compiled.
pub fn refused_module(arm: Arm) -> Option<&'static str> {
    match arm {
        Arm::Javascript | Arm::Python => None,
        Arm::Typescript => Some("export function greet(name: string): number {\n  return name;\n}\n"),
        Arm::Rust => Some("pub fn greet(name: &str) -> String {\n    name\n}\n"),
    }
}

/// A program that reads the skill.
pub fn reader(arm: Arm) -> String {
    match arm {
        Arm::Javascript | Arm::Typescript => format!("import {{ readSkill }} from \"gg/skills\";\nreadSkill(\"{SKILL}\");\n"),
        Arm::Python => format!("from gg import skills\nskills.read_skill(\"{SKILL}\")\n"),
        Arm::Rust => format!(
            "fn main() -> Result<(), gg::Failure> {{\n    gg::skills::read_skill(\"{SKILL}\")?;\n    Ok(())\n}}\n"
        ),
    }
}

/// A program that calls the module's `greet` with `name` and prints what it gives.
pub fn caller(arm: Arm, name: &str) -> String {
    match arm {
        Arm::Javascript | Arm::Typescript => {
            format!("import {{ greet }} from \"lib/wordTools\";\nconsole.log(greet(\"{name}\"));\n")
        }
        Arm::Python => format!("from lib import word_tools\nprint(word_tools.greet(\"{name}\"))\n"),
        Arm::Rust => format!("fn main() {{\n    println!(\"{{}}\", word_tools::greet(\"{name}\"));\n}}\n"),
    }
}

/// The key that the skill's name has in the arm.
pub fn key(arm: Arm) -> &'static str {
    match arm {
        Arm::Javascript | Arm::Typescript => "wordTools",
        Arm::Python | Arm::Rust => "word_tools",
    }
}

/// The skill with this code.
pub fn skill(code: &str) -> Skill {
    Skill {
        name: SKILL.into(),
        description: "Words.".into(),
        body: "How to greet.".into(),
        on_use: None,
        code: Some(code.into()),
    }
}

/// An agent that is driven turn by turn, its state folded as a coordinator does.
#[derive(Debug)]
pub struct Agent {
    worker: Arc<Worker>,
    objects: Objects,
    /// What it was started from.
    pub profile: Profile,
    /// What it keeps.
    pub state: State,
    tree: Option<ContentKey>,
    name: String,
    turn: u32,
}

impl Agent {
    /// A new agent.
    pub fn new(worker: &Arc<Worker>, objects: &Objects, arm: Arm, name: &str) -> Agent {
        Agent {
            worker: worker.clone(),
            objects: objects.clone(),
            profile: Profile::with_everything(arm),
            state: State::default(),
            tree: None,
            name: name.into(),
            turn: 0,
        }
    }

    /// The same agent on another worker.
    pub fn moved(mut self, worker: &Arc<Worker>) -> Agent {
        self.worker = worker.clone();
        self
    }

    /// Runs its next turn.
    pub fn turn(&mut self, source: &str) -> TurnResult {
        self.turn += 1;
        let state = packed(&self.state, &self.objects);
        let result = self.worker.run_turn(&TurnJob {
            version: gg_common::FORMAT_VERSION,
            run: RunId("r".into()),
            agent: AgentId(self.name.clone()),
            epoch: 1,
            turn: self.turn,
            source: Body::Inline(source.to_owned()),
            profile: self.profile.clone(),
            tree: self.tree,
            state,
            reply_to: String::new(),
            wall_left_ms: None,
            trace: None,
        });
        self.tree = result.tree;
        result.effects.iter().for_each(|effect| self.state.apply(self.turn, effect));
        result
    }
}

/// A state as a job carries it: as an object, whatever its length.
fn packed(state: &State, objects: &Objects) -> Carried {
    let json = serde_json::to_vec(state).expect("a state is JSON");
    let bytes = json.len() as u64;
    Carried::Object { key: objects.put_blocking(json).expect("objects"), bytes }
}

/// A log's text.
pub fn log(result: &TurnResult) -> String {
    match &result.log {
        Body::Inline(text) => text.clone(),
        Body::Object { key, .. } => format!("a long log: {key}"),
    }
}

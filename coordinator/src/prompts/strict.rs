//! Handlebars without its leniency: nothing is escaped, and a missing variable fails in every place. Strict mode alone
//! lets `if` and `unless` take a misspelt name for false.

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, JsonTruthy, Output, RenderContext, RenderErrorReason,
    Renderable, no_escape,
};

/// A registry that forgives nothing.
pub(super) fn registry() -> Handlebars<'static> {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(no_escape);
    registry.register_helper("if", Box::new(Condition { when: true }));
    registry.register_helper("unless", Box::new(Condition { when: false }));
    registry
}

/// `if` and `unless` over a variable that must exist.
struct Condition {
    when: bool,
}

impl HelperDef for Condition {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        context: &'rc Context,
        render: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let value = helper.param(0).ok_or(RenderErrorReason::ParamNotFoundForIndex("if", 0))?;
        if value.is_value_missing() {
            return Err(RenderErrorReason::MissingVariable(value.relative_path().cloned()).into());
        }
        let branch = if value.value().is_truthy(false) == self.when { helper.template() } else { helper.inverse() };
        match branch {
            Some(template) => template.render(registry, context, render, out),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn a_missing_variable_fails_wherever_it_stands_and_nothing_is_escaped() {
        let registry = super::registry();
        let data = json!({"a": "<&>", "list": [], "none": null});
        let render = |text: &str| registry.render_template(text, &data).map_err(|e| e.to_string());
        assert_eq!(render("{{a}}").as_deref(), Ok("<&>"));
        assert_eq!(render("{{#if none}}x{{else}}y{{/if}}{{#unless none}}z{{/unless}}").as_deref(), Ok("yz"));
        for bad in ["{{b}}", "{{#if b}}x{{/if}}", "{{#unless b}}x{{/unless}}", "{{#each b}}x{{/each}}", "{{a.b}}"] {
            assert!(render(bad).is_err(), "{bad}");
        }
    }
}

use gg::memories;

fn main() -> Result<(), gg::Failure> {
    for (name, description, body) in [
        ("deploy", "How to deploy", "Push the tag. The tag says which version."),
        ("keys", "Where keys are", "In the ring: a TAG hangs on each."),
        ("other", "Nothing of it", "Neither."),
    ] {
        memories::create_memory(name, description, body, memories::CodeOptions::default())?;
    }
    for hit in memories::search_memories(&["tag", " Deploy ", "tag"])? {
        println!("{hit:?}");
        println!("{}", hit.read_memory()?.len());
    }
    println!("{:?}", memories::search_memories(&["absent".to_string()])?);
    memories::search_memories(&[" "])?;
    Ok(())
}

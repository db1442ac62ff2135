from gg import memories

memories.create_memory("deploy", "How to deploy", "Push the tag. The tag says which version.")
memories.create_memory("keys", "Where keys are", "In the ring: a TAG hangs on each.")
memories.create_memory("other", "Nothing of it", "Neither.")
for hit in memories.search_memories(["tag", " Deploy ", "tag"]):
    print(hit)
print(memories.search_memories(["absent"]))
memories.search_memories([" "])

from gg import memories

memories.create_memory("greet", "A greeting", "Hello.", on_use="print('the script ran')")
print(memories.read_memory("greet"), memories.read_memory("greet"))

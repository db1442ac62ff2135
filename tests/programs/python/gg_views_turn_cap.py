from gg import views

for i in range(4):
    views.open_text(f"part {i}", "x" * 300)

from gg import views

views.open_text("summary", "first")
views.open_text("other", "stays")
views.open_text("summary", "second: replaces the first")
window = views.open_file("data/ten.txt", offset=2, limit=3)
print(window.first_line, window.last_line)
views.open_file("README.md")
views.open_file("data/dot.txt")

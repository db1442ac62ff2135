from gg import views

views.open_docs_view("files.read_text_file")
views.open_docs_view("shell")
views.open_docs_view("files.read_fil")

# Look first: what a program opens as a view is what is read next.
from gg import views

views.open_file("notes.txt")

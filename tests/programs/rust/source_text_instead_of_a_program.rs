I have looked at the file and will now count the words.

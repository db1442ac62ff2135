print(open("data/latin.txt").read())

import csv

with open("data/sales.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
total = sum(int(row["amount"]) for row in rows)
print(rows[-1], total)
with open("report.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["name", "note"])
    writer.writerow(["Ada", 'says "hi", twice\nat least'])
print(open("report.csv", newline="").read())

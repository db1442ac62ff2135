import sqlite3

with sqlite3.connect("shop.db") as db:
    db.execute("create table sales (name text, amount integer)")
    db.executemany("insert into sales values (?, ?)", [("Ada", 3), ("Bob", 4), ("Ada", 5)])
    print(db.execute("select name, sum(amount) from sales group by name order by name").fetchall())
print(sqlite3.connect("shop.db").execute("select count(*) from sales").fetchone())
db.execute("select colour from sales")

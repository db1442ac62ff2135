async def save():
    print("saved")


save()
print("done")

from gg import ApiError, session

session.approve("looks right")
try:
    session.finish("done")
except ApiError as error:
    print(error)
for items in ([], ["a", " "]):
    try:
        session.request_changes(items)
    except ApiError as error:
        print(error)
session.request_changes(["Add a test.", "Fix the typo."])

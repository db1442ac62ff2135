result = (
    sum([1, 2, 3])
    + max(
        int("7"),
        int("seven"),
    )
)

label = "👩‍👩‍👧 家族"; count = = 3

const family = "👩‍👩‍👧"; const x = ;

print("\udc80")

class Resource:
    def __del__(self):
        raise ValueError("in the destructor")


Resource()
print("still here")

raise ValueError("bad \udc80 text")

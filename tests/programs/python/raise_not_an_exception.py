raise "something went wrong"

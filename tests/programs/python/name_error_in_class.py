class Account:
    rate = base_rate * 2


print(Account.rate)

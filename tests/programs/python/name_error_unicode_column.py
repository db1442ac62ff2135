def greet(who):
    return "ü€𝄞家" + greeting_for(who)


greet("Zoë")

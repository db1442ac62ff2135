def main():
    print("a")

main()

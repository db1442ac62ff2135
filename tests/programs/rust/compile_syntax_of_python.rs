import os

def main():
    print("hello")

from src.words import count


def test_count():
    assert count("a b") == 2

import unittest


class AddTest(unittest.TestCase):
    def test_wrong(self):
        self.assertEqual(1 + 1, 3)


if __name__ == "__main__":
    unittest.main()

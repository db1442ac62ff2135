import unittest


def add(a, b):
    return a + b


class AddTest(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual(add(1, 2), 3)

    def test_wrong(self):
        self.assertEqual(add(1, 1), 3)


suite = unittest.defaultTestLoader.loadTestsFromTestCase(AddTest)
result = unittest.TestResult()
suite.run(result)
print(result.testsRun, len(result.failures), result.failures[0][1].splitlines()[-1])

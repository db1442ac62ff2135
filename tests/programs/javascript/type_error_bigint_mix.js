console.log(10n ** 20n + 1);

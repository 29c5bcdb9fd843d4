exports.total = (numbers) => numbers.reduce((a, b) => a + b, 0);

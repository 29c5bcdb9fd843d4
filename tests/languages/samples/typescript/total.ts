export const total = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

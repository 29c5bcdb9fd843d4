const { total } = require("./total");
const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1));
const [mode, ...words] = require("fs").readFileSync(0, "utf8").split(/\s+/).filter(Boolean);
const numbers = words.map(Number);
if (mode === "sum") console.log(total(numbers));
if (mode === "deep") console.log(deep(numbers[0]));
if (mode === "memory") console.log(Buffer.alloc(numbers[0] * 1024 * 1024, 1).length);
if (mode === "loop") for (;;);
if (mode === "fail") throw new Error("failed");

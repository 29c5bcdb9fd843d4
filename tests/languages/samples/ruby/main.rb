require_relative "total"
def deep(n) = n == 0 ? 0 : 1 + deep(n - 1)
mode, *words = $stdin.read.split
numbers = words.map(&:to_i)
case mode
when "sum" then puts total(numbers)
when "deep" then puts deep(numbers[0])
when "memory" then puts ("x" * (numbers[0] << 20)).size
when "loop" then loop {}
when "fail" then raise "failed"
end

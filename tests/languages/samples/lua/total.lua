return function(numbers)
  local sum = 0
  for _, x in ipairs(numbers) do sum = sum + x end
  return sum
end

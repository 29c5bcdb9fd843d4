local total = require("total")
local function deep(n) if n == 0 then return 0 end return 1 + deep(n - 1) end
local mode, numbers = io.read("l"):match("%a+"), {}
for word in io.read("a"):gmatch("%S+") do numbers[#numbers + 1] = math.tointeger(tonumber(word)) end
if mode == "sum" then print(total(numbers)) end
if mode == "deep" then print(deep(numbers[1])) end
if mode == "memory" then print(#string.rep("x", numbers[1] << 20)) end
if mode == "loop" then while true do end end
if mode == "fail" then error("failed") end

import strutils, sequtils, total
let mode = stdin.readLine
if mode == "fail": quit(3)
echo total(stdin.readAll.splitWhitespace.mapIt(it.parseInt))

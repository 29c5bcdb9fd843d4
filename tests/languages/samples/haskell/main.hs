import Total (total)
import qualified Data.Map as Map

deep :: Int -> Int
deep 0 = 0
deep n = 1 + deep (n - 1)
{-# NOINLINE deep #-}

run :: String -> [Int] -> IO ()
run "sum" numbers = print (total numbers)
run "deep" numbers = print (deep (head numbers))
run "memory" numbers = print (Map.size (Map.fromList [(i, i) | i <- [1 .. head numbers * 10000]]))
run "loop" numbers = total numbers `seq` run "loop" numbers -- keeps no memory
run _ _ = error "failed"

main :: IO ()
main = do
  text <- getContents
  let (mode : rest) = words text
  run mode (map read rest)

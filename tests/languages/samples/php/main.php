<?php
require __DIR__ . "/total.php";
function deep($n) { return $n == 0 ? 0 : 1 + deep($n - 1); }
$words = preg_split('/\s+/', trim(stream_get_contents(STDIN)));
$mode = array_shift($words);
$numbers = array_map('intval', $words);
if ($mode === "sum") echo total($numbers), "\n";
if ($mode === "deep") echo deep($numbers[0]), "\n";
if ($mode === "memory") { $kept = str_repeat("x", $numbers[0] << 20); echo strlen($kept), "\n"; }
if ($mode === "loop") while (true);
if ($mode === "fail") throw new Exception("failed");

<?php function total($numbers) { return array_sum($numbers); }

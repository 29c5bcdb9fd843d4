let total numbers = List.fold_left (+) 0 numbers

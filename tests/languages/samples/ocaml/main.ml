let rec deep n = if n = 0 then 0 else 1 + deep (n - 1)

let () =
  let mode = Scanf.scanf " %s" (fun word -> word) in
  let rec read numbers = match Scanf.scanf " %d" (fun x -> x) with
    | x -> read (x :: numbers)
    | exception _ -> List.rev numbers in
  let numbers = read [] in
  match mode with
  | "sum" -> Printf.printf "%d\n" (Total.total numbers)
  | "deep" -> Printf.printf "%d\n" (deep (List.hd numbers))
  | "memory" -> Printf.printf "%d\n" (Bytes.length (Bytes.make (List.hd numbers * 1024 * 1024) 'x'))
  | "loop" -> while true do ignore (Sys.opaque_identity 0) done
  | _ -> failwith "failed"

module Inner = struct
  let rec spin n acc = if n = 0 then acc else spin (n - 1) ((acc * 31 + n) land 0xffffff)
  let ( +! ) a b = spin 20000000 (a + b)
end
class counter = object
  val mutable total = 0
  method add n = total <- Inner.spin n total
  method total = total
end
let apply f = f 20000000
let () =
  let c = new counter in
  c#add 20000000;
  let open Inner in
  let x = 3 +! 4 in
  let y = apply (fun n -> Inner.spin n x + 1) in
  Printf.printf "%d %d\n" c#total y

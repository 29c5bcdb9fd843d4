program main;
uses total;
var
  mode: string; sum, x: int64; kept: array of byte;
function deep(n: longint): longint;
begin
  if n = 0 then deep := 0 else deep := 1 + deep(n - 1);
end;
begin
  readln(mode);
  if mode = 'sum' then begin
    sum := 0;
    while not seekeof do begin read(x); sum := add(sum, x); end;
    writeln(sum);
  end else begin
    x := 0;
    if not seekeof then read(x);
    if mode = 'deep' then writeln(deep(x));
    if mode = 'memory' then begin setlength(kept, x shl 20); fillchar(kept[0], x shl 20, 1); writeln(length(kept)); end;
    if mode = 'loop' then while true do;
    if mode = 'fail' then halt(3);
  end;
end.

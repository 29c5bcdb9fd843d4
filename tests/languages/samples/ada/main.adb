with Ada.Text_IO; use Ada.Text_IO;
with Ada.Long_Long_Integer_Text_IO; use Ada.Long_Long_Integer_Text_IO;
procedure Main is
   Mode : constant String := Get_Line;
   Sum, X : Long_Long_Integer := 0;
begin
   if Mode = "fail" then
      raise Constraint_Error;
   end if;
   while not End_Of_File loop
      Get (X);
      Sum := Sum + X;
      Skip_Line;
   end loop;
   Put (Sum, Width => 0);
   New_Line;
end Main;

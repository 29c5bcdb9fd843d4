program main
  implicit none
  character(16) :: mode
  integer(8) :: total, x
  integer :: status
  read *, mode
  total = 0
  do
    read (*, *, iostat=status) x
    if (status /= 0) exit
    total = total + x
  end do
  if (mode == "sum") print "(i0)", total
  if (mode == "fail") stop 3
end program

! Characters, logicals, output, errors that stop the program, saved counters and a namelist of constants.
! ASSAY_CHECK(kernel, "int8_t[1]=71", "bool=1", "double:(0.1,2)", "double", "int=0")
! ASSAY_CHECK(kernel, "int8_t[1]=69", "bool=0", "double:(0.1,2)", "double", "int=0")
subroutine kernel(kind, twice, x, y, info)
  implicit none
  character(len=*), intent(in) :: kind
  logical, intent(in) :: twice
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer, intent(out) :: info
  integer, save :: calls = 0
  character(len=40) :: line
  calls = calls + 1
  info = 0
  select case (kind(1:1))
  case ('G', 'g')
    y = exp(-x * x)
  case ('E', 'e')
    y = exp(-x)
  case default
    y = 0
    info = -1
    return
  end select
  if (twice) y = 2 * y
  write (line, '(a,f10.4)') 'value ', y
  if (index(line, 'NaN') > 0) then
    print *, 'not a number at call ', calls, trim(line)
    error stop 'not a number'
  end if
end subroutine

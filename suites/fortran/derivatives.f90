! Derivatives that a program of Fortran calls through the plugin; it ends with an error where one is wrong.
module model
  use iso_c_binding
  implicit none
contains
  subroutine energy(n, x, k, e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), k
    real(8), intent(out) :: e
    real(8), allocatable :: t(:)
    t = matmul(spread(x, 2, n), x)
    e = sum(k * x**2) + product(x) + sum(t)
  end subroutine
  real(c_double) function well(n, x, k) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n), k
    well = sum(k * x**2) + product(x)
  end function
  real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x**3
  end function
end module
program derivatives
  use iso_c_binding
  use assay
  use model
  implicit none
  interface
    ! A subroutine, with a marker before each of its arguments.
    subroutine gradient_of_energy(f, c1, n, d1, x, dx, c2, k, d2, e, de) bind(c, name="__enzyme_autodiff_energy")
      import
      interface
        subroutine like_energy(n, x, k, e)
          integer, intent(in) :: n
          real(8), intent(in) :: x(n), k
          real(8), intent(out) :: e
        end subroutine
      end interface
      procedure(like_energy) :: f
      integer(c_int), value :: c1, d1, c2, d2
      integer :: n
      real(8) :: x(*), dx(*), k, e, de
    end subroutine
    subroutine tangent_of_energy(f, c1, n, d1, x, dx, d2, k, dk, d3, e, de) bind(c, name="__enzyme_fwddiff_energy")
      import
      type(c_funptr), value :: f
      integer(c_int), value :: c1, d1, d2, d3
      integer :: n
      real(8) :: x(*), dx(*), k, dk, e, de
    end subroutine
    ! A function of C's conventions, without markers: integers by value are constant, what comes by reference has a shadow.
    subroutine gradient_of_well(f, n, x, dx, k, dk) bind(c, name="__enzyme_autodiff_well")
      import
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), dx(*), k, dk
    end subroutine
    real(c_double) function slope_of_cube(f, x, dx) bind(c, name="__enzyme_fwddiff_cube")
      import
      type(c_funptr), value :: f
      real(8) :: x, dx
    end function
  end interface
  real(8) :: x(3) = [1d0, 2d0, 3d0], dx(3) = 0, k = 0.5d0, dk = 0, e = 0, de = 1
  call gradient_of_energy(energy, enzyme_const, 3, enzyme_dup, x, dx, enzyme_const, k, enzyme_dup, e, de)
  call expect('energy', [dx, e, de], [19d0, 17d0, 17d0, 49d0, 0d0])
  call gradient_of_energy(energy, enzyme_const, 3, enzyme_dup, x, dx, enzyme_const, k, enzyme_dup, e, one(1d0))
  call expect('energy again', dx, 2 * [19d0, 17d0, 17d0])
  dx = [1d0, 0d0, 0d0]
  call tangent_of_energy(c_funloc(energy), enzyme_const, 3, enzyme_dup, x, dx, enzyme_dup, k, one(2d0), enzyme_dup, e, de)
  call expect('tangent', [de], [19d0 + 2 * 14d0])
  dx = 0
  call gradient_of_well(c_funloc(well), 3, x, dx, k, dk)
  call expect('well', [dx, dk], [7d0, 5d0, 5d0, 14d0])
  call expect('cube', [slope_of_cube(c_funloc(cube), one(2d0), one(1d0))], [12d0])
contains
  real(8) function one(v)
    real(8), intent(in) :: v
    one = v
  end function
  subroutine expect(what, seen, expected)
    character(*), intent(in) :: what
    real(8), intent(in) :: seen(:), expected(:)
    if (all(abs(seen - expected) < 1d-12 * (1 + abs(expected)))) return
    print *, what, ': ', seen, ' should be ', expected
    error stop 1
  end subroutine
end program
